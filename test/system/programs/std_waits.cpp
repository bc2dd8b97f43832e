// What libstdc++ makes of futexes: one program for each, right and with a deadlock.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;

/// Two threads wait; a notification for one leaves the other behind.
void atomicWait(bool allNotified) {
  std::atomic<int> flag{0};
  std::jthread waiter([&] { flag.wait(0); });
  std::jthread setter([&] {
    flag = 1;
    allNotified ? flag.notify_all() : flag.notify_one();
  });
  flag.wait(0);
}

void semaphore(int permits) {
  std::counting_semaphore<4> available{0};
  std::jthread first([&] { available.acquire(); });
  std::jthread second([&] { available.acquire(); });
  available.release(permits);
}

void timedSemaphore() {
  std::binary_semaphore free{0};
  auto start = std::chrono::steady_clock::now();
  assert(!free.try_acquire());
  assert(!free.try_acquire_for(100s));
  assert(std::chrono::steady_clock::now() - start >= 100s);
}

void latch(int count) {
  std::latch done{count};
  std::jthread first([&] { done.count_down(); });
  std::jthread second([&] { done.count_down(); });
  done.wait();
}

void barrier(int count) {
  std::barrier meeting{count};
  std::jthread first([&] { meeting.arrive_and_wait(); });
  std::jthread second([&] { meeting.arrive_and_wait(); });
}

void barrierOfThree() {
  std::barrier meeting{3};
  auto meetTwice = [&] {
    meeting.arrive_and_wait();
    meeting.arrive_and_wait();
  };
  std::jthread first(meetTwice);
  std::jthread second(meetTwice);
  std::jthread third(meetTwice);
}

void semaphoreAndLock() {
  std::binary_semaphore free{1};
  std::mutex mutex;
  auto use = [&] {
    free.acquire();
    { std::lock_guard<std::mutex> guard(mutex); }
    free.release();
  };
  std::jthread first(use);
  std::jthread second(use);
}

void flagAndLock() {
  std::atomic<bool> ready{false};
  std::mutex mutex;
  std::jthread setter([&] {
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
    ready.notify_all();
  });
  std::jthread waiter([&] {
    ready.wait(false);
    std::lock_guard<std::mutex> guard(mutex);
  });
}

void promise(bool kept) {
  std::promise<int> promise;
  std::jthread giver([&] {
    if (kept) promise.set_value(7);
  });
  assert(promise.get_future().get() == 7);
}

void timedFuture() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::jthread giver([&] { promise.set_value(7); });
  if (future.wait_for(100ms) == std::future_status::ready) assert(future.get() == 7);
}

void async() {
  auto five = std::async(std::launch::async, [] { return 5; });
  auto six = std::async(std::launch::async, [] { return 6; });
  assert(five.get() + six.get() == 11);
}

void asyncThatWaitsForItself() {
  std::promise<void> end;
  auto ended = end.get_future();
  {
    auto task = std::async(std::launch::async, [&] { ended.wait(); });
  }  // waits for the task
  end.set_value();
}

void packagedTask() {
  std::packaged_task<int()> task([] { return 3; });
  auto result = task.get_future();
  std::jthread worker(std::move(task));
  assert(result.get() == 3);
}

std::mutex initialized;

struct Slow {
  Slow() { std::lock_guard<std::mutex> guard(initialized); }
};
Slow& onlyOne() {
  static Slow one;
  return one;
}

void guard() {
  std::jthread first(onlyOne);
  std::jthread second(onlyOne);
}

/// The constructor of the static object waits for what its caller holds.
void guardDeadlock() {
  std::lock_guard<std::mutex> holding(initialized);
  std::jthread first(onlyOne);
  std::jthread second(onlyOne);
}

void stopToken(bool stopped) {
  std::mutex mutex;
  std::condition_variable_any condition;
  std::jthread worker([&](std::stop_token token) {
    std::unique_lock<std::mutex> lock(mutex);
    if (stopped)
      condition.wait(lock, token, [] { return false; });
    else
      condition.wait(lock, [] { return false; });
  });
}

void stopCallback() {
  int called = 0;
  std::jthread worker([](std::stop_token token) {
    while (!token.stop_requested()) std::this_thread::yield();
  });
  std::stop_callback callback(worker.get_stop_token(), [&] { ++called; });
  worker.request_stop();
  worker.join();
  assert(called == 1);
}

void run(const std::string& what) {
  if (what == "atomic") atomicWait(true);
  if (what == "atomic_deadlock") atomicWait(false);
  if (what == "semaphore") semaphore(2);
  if (what == "semaphore_deadlock") semaphore(1);
  if (what == "timed_semaphore") timedSemaphore();
  if (what == "latch") latch(2);
  if (what == "latch_deadlock") latch(3);
  if (what == "barrier") barrier(2);
  if (what == "barrier_deadlock") barrier(3);
  if (what == "barrier_of_three") barrierOfThree();
  if (what == "semaphore_and_lock") semaphoreAndLock();
  if (what == "flag_and_lock") flagAndLock();
  if (what == "promise") promise(true);
  if (what == "promise_deadlock") promise(false);
  if (what == "timed_future") timedFuture();
  if (what == "async") async();
  if (what == "async_deadlock") asyncThatWaitsForItself();
  if (what == "packaged_task") packagedTask();
  if (what == "guard") guard();
  if (what == "guard_deadlock") guardDeadlock();
  if (what == "stop_token") stopToken(true);
  if (what == "stop_token_deadlock") stopToken(false);
  if (what == "stop_callback") stopCallback();
}

}  // namespace

int main(int, char** argv) {
  run(argv[1]);
}
