// Locks that are local variables, as C++ has them.
#include <array>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>

namespace {

struct Account {
  int balance = 100;
  std::mutex lock;
};

void transfer(Account& from, Account& to) {
  std::lock_guard<std::mutex> first(from.lock);
  std::lock_guard<std::mutex> second(to.lock);
  --from.balance;
  ++to.balance;
}

void accounts() {
  Account alice, bob;
  std::thread a(transfer, std::ref(alice), std::ref(bob));
  std::thread b(transfer, std::ref(bob), std::ref(alice));
  a.join();
  b.join();
}

class Table {
 public:
  void eat(std::size_t seat) {
    std::lock_guard<std::mutex> left(forks_[seat]);
    std::lock_guard<std::mutex> right(forks_[(seat + 1) % forks_.size()]);
  }

 private:
  std::array<std::mutex, 2> forks_;
};

void object() {
  Table table;
  std::thread other([&] { table.eat(1); });
  table.eat(0);
  other.join();
}

// The signal comes too early.
void condition() {
  std::mutex m;
  std::condition_variable ready;
  std::binary_semaphore done(0);
  std::thread notifier([&] {
    ready.notify_one();
    done.release();
  });
  std::unique_lock<std::mutex> lock(m);
  ready.wait(lock);
  done.acquire();
  notifier.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "accounts";
  if (way == "accounts") accounts();
  if (way == "object") object();
  if (way == "condition") condition();
}
