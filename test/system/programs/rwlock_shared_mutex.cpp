// std::shared_mutex and std::shared_timed_mutex: one thread writes, another one reads.
//   shared  the reader comes before the writer or after it: 2 behaviours
//   timed   the reader has a time limit and may also give up: 3
//   heap    locks that come and go on the heap, each in the memory of the one before: 1
#include <cassert>
#include <chrono>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;

std::shared_mutex mutex;
std::shared_timed_mutex timedMutex;
int first = 0;
int second = 0;

template <class Mutex>
void writeBoth(Mutex& lock) {
  std::unique_lock guard(lock);
  ++first;
  ++second;
}

void readBoth() {
  std::shared_lock guard(mutex);
  assert(first == second);
}

void readSoon() {
  std::shared_lock guard(timedMutex, 10ms);
  if (guard.owns_lock()) assert(first == second);
}

template <class First, class Second>
void run(First one, Second two) {
  std::thread a(one);
  std::thread b(two);
  a.join();
  b.join();
}

}  // namespace

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "shared") run([] { writeBoth(mutex); }, readBoth);
  if (what == "timed") run([] { writeBoth(timedMutex); }, readSoon);
  for (int i = 0; what == "heap" && i < 3; ++i) {
    auto lock = std::make_unique<std::shared_mutex>();
    writeBoth(*lock);
    std::shared_lock guard(*lock);
  }
  return 0;
}
