// Two threads each, with what the standard library has for them. How many behaviours each has is derived in
// the test.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

std::mutex mutex;
std::mutex other;
std::recursive_mutex recursive;
std::timed_mutex timed;
std::recursive_timed_mutex recursiveTimed;
std::condition_variable condition;
std::condition_variable_any any;
bool ready = false;
int count = 0;

void runBoth(const std::function<void()>& first, const std::function<void()>& second) {
  std::thread a(first);
  std::thread b(second);
  a.join();
  b.join();
}

void guard() {
  auto once = [] {
    std::lock_guard<std::mutex> held(mutex);
    ++count;
  };
  runBoth(once, once);
  assert(count == 2);
}

void lockTwice() {
  auto twice = [] {
    std::lock_guard<std::recursive_mutex> held(recursive);
    std::lock_guard<std::recursive_mutex> again(recursive);
  };
  runBoth(twice, twice);
}

void tryTo() {
  runBoth([] { std::lock_guard<std::mutex> held(mutex); },
          [] { std::unique_lock<std::mutex> attempt(mutex, std::try_to_lock); });
}

void tryFor() {
  runBoth([] { std::lock_guard<std::timed_mutex> held(timed); },
          [] {
            auto before = std::chrono::steady_clock::now();
            std::unique_lock<std::timed_mutex> attempt(timed, 1min);
            assert(attempt.owns_lock() || std::chrono::steady_clock::now() - before >= 1min);
          });
}

void tryUntil() {
  runBoth([] { std::lock_guard<std::recursive_timed_mutex> held(recursiveTimed); },
          [] {
            auto limit = std::chrono::system_clock::now() + 1min;
            std::unique_lock<std::recursive_timed_mutex> attempt(recursiveTimed, limit);
            assert(attempt.owns_lock() || std::chrono::system_clock::now() >= limit);
          });
}

void scoped() {
  auto both = [] { std::scoped_lock held(mutex, other); };
  runBoth(both, both);
}

void scopedReversed() {
  runBoth([] { std::scoped_lock held(mutex, other); }, [] { std::scoped_lock held(other, mutex); });
}

void wait() {
  runBoth(
      [] {
        std::unique_lock<std::mutex> held(mutex);
        condition.wait(held, [] { return ready; });
      },
      [] {
        std::lock_guard<std::mutex> held(mutex);
        ready = true;
        condition.notify_one();
      });
}

void waitFor() {
  runBoth(
      [] {
        std::unique_lock<std::mutex> held(mutex);
        if (!ready) condition.wait_for(held, 1min);
      },
      [] {
        std::lock_guard<std::mutex> held(mutex);
        ready = true;
        condition.notify_all();
      });
}

void waitLost() {
  runBoth(
      [] {
        std::unique_lock<std::mutex> held(mutex);
        condition.wait(held);
      },
      [] { condition.notify_one(); });
}

void waitAny() {
  runBoth(
      [] {
        std::unique_lock<std::mutex> held(mutex);
        any.wait(held, [] { return ready; });
      },
      [] {
        {
          std::lock_guard<std::mutex> held(mutex);
          ready = true;
        }
        any.notify_all();
      });
  assert(ready);
}

void joinsItself() {
  std::jthread a([] { std::lock_guard<std::mutex> held(mutex); });
  std::jthread b([] { std::lock_guard<std::mutex> held(mutex); });
}

void detaches() {
  std::thread([] { std::lock_guard<std::mutex> held(mutex); }).detach();
}

std::shared_ptr<int> shared = std::make_shared<int>(1);

void atomicPointer() {
  int seen = 0;
  runBoth([] { std::atomic_store(&shared, std::make_shared<int>(2)); },
          [&] { seen = *std::atomic_load(&shared); });
  assert(seen == 2);
}

}  // namespace

int main(int argc, char** argv) {
  static constexpr struct {
    const char* name;
    void (*run)();
  } kWays[] = {{"guard", guard},
               {"recursive", lockTwice},
               {"try", tryTo},
               {"try_for", tryFor},
               {"try_until", tryUntil},
               {"scoped", scoped},
               {"scoped_reversed", scopedReversed},
               {"wait", wait},
               {"wait_for", waitFor},
               {"wait_lost", waitLost},
               {"wait_any", waitAny},
               {"jthread", joinsItself},
               {"detached", detaches},
               {"atomic_pointer", atomicPointer}};
  for (const auto& way : kWays)
    if (argc > 1 && std::strcmp(argv[1], way.name) == 0) way.run();
  return 0;
}
