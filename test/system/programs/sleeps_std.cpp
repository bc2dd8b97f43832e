// Sleeping and waiting with std::chrono.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <thread>

namespace {

using namespace std::chrono;

template <class Clock>
void sleepOn() {
  auto start = Clock::now();
  std::this_thread::sleep_for(1000s);
  assert(Clock::now() - start >= 1000s);
  auto then = Clock::now() + 24h;
  std::this_thread::sleep_until(then);
  assert(Clock::now() >= then);
  std::this_thread::sleep_until(start);
}

void sleepForEver() {
  std::this_thread::sleep_until(steady_clock::time_point::max());
  std::this_thread::sleep_for(hours::max());
}

std::mutex mutex;
std::condition_variable condition;

void waitInVain() {
  std::unique_lock<std::mutex> lock(mutex);
  auto start = steady_clock::now();
  assert(!condition.wait_for(lock, 100ms, [] { return false; }));
  assert(steady_clock::now() - start >= 100ms);
  assert(condition.wait_until(lock, system_clock::now() + 1h) == std::cv_status::timeout);
}

void awaitFuture() {
  std::promise<int> promise;
  auto start = steady_clock::now();
  assert(promise.get_future().wait_for(100s) == std::future_status::timeout);
  assert(steady_clock::now() - start >= 100s);
}

}  // namespace

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "sleep") {
    sleepOn<system_clock>();
    sleepOn<steady_clock>();
  }
  if (what == "for_ever") sleepForEver();
  if (what == "condition") waitInVain();
  if (what == "future") awaitFuture();
}
