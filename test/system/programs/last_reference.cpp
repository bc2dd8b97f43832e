// Two threads share an object, and whoever lets go of it last deletes it, which no lock decides. The second
// then allocates and locks a mutex of its own, perhaps where the object has been.
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Journal {
  std::mutex mutex;
};

std::mutex common;

void lockCommon() {
  std::lock_guard<std::mutex> guard(common);
}

void lockOwn() {
  auto own = std::make_shared<Journal>();
  std::lock_guard<std::mutex> guard(own->mutex);
}

}  // namespace

int main() {
  auto journal = std::make_shared<Journal>();
  std::thread first([mine = journal]() mutable {
    lockCommon();
    mine.reset();
  });
  std::thread second([mine = journal]() mutable {
    mine.reset();
    lockOwn();
  });
  journal.reset();
  std::thread third(lockCommon);
  first.join();
  second.join();
  third.join();
}
