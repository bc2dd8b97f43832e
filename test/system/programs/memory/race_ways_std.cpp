// The same in C++: threads and some memory, and what the library has to order them.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int shared;
thread_local volatile int seen;
std::mutex m;
std::vector<int> numbers;

struct Account {
  int balance = 0;
  virtual ~Account() = default;
  virtual void pay(int amount) { balance += amount; }
};

__attribute__((noinline)) void set() {
  shared = 1;
}

__attribute__((noinline)) void look() {
  seen = shared;
}

void async() {
  std::future<int> result = std::async(std::launch::async, [] {
    set();
    return 1;
  });
  seen = result.get();
  look();
}

void asyncEarly() {
  std::future<void> result = std::async(std::launch::async, set);
  look();
  result.get();
}

void growing(bool locked) {
  auto add = [locked] {
    std::unique_lock<std::mutex> lock(m, std::defer_lock);
    if (locked) lock.lock();
    numbers.push_back(1);
  };
  std::thread thread(add);
  add();
  thread.join();
}

void scoped() {
  auto pay = [](Account& account) {
    std::scoped_lock lock(m);
    account.pay(5);
  };
  Account account;
  std::thread thread(pay, std::ref(account));
  pay(account);
  thread.join();
  seen = account.balance;
}

void method() {
  auto account = std::make_unique<Account>();
  std::thread thread([&] { account->pay(5); });
  account->pay(7);
  thread.join();
}

void deleted() {
  auto* account = new Account;
  std::thread thread([account] { account->pay(5); });
  delete account;
  thread.join();
}

void waited() {
  std::condition_variable changed;
  bool ready = false;
  std::thread thread([&] {
    set();
    std::scoped_lock lock(m);
    ready = true;
    changed.notify_one();
  });
  std::unique_lock lock(m);
  changed.wait(lock, [&] { return ready; });
  look();
  lock.unlock();
  thread.join();
}

void once() {
  static std::once_flag flag;
  auto use = [] {
    std::call_once(flag, set);
    look();
  };
  std::thread thread(use);
  use();
  thread.join();
}

// The one who comes first initializes it, and the others see that.
void staticLocal() {
  auto use = [] {
    static std::vector<int> numbers = {shared, 2};
    seen = numbers[1];
  };
  std::thread thread(use);
  use();
  thread.join();
}

void published(std::memory_order store, std::memory_order load) {
  std::atomic<bool> ready{false};
  std::thread thread([&] {
    set();
    ready.store(true, store);
  });
  if (ready.load(load)) look();
  thread.join();
}

void doubleChecked() {
  static std::atomic<bool> ready{false};
  auto use = [] {
    if (!ready.load(std::memory_order_acquire)) {
      std::scoped_lock lock(m);
      if (!ready.load(std::memory_order_relaxed)) {
        set();
        ready.store(true, std::memory_order_release);
      }
    }
    look();
  };
  std::thread thread(use);
  use();
  thread.join();
}

int main(int argc, char** argv) {
  std::string way = argc > 1 ? argv[1] : "async";
  if (way == "async") async();
  if (way == "async_early") asyncEarly();
  if (way == "growing") growing(false);
  if (way == "growing_locked") growing(true);
  if (way == "scoped") scoped();
  if (way == "method") method();
  if (way == "deleted") deleted();
  if (way == "waited") waited();
  if (way == "once") once();
  if (way == "static_local") staticLocal();
  if (way == "released") published(std::memory_order_release, std::memory_order_acquire);
  if (way == "relaxed") published(std::memory_order_relaxed, std::memory_order_relaxed);
  if (way == "double_checked") doubleChecked();
}
