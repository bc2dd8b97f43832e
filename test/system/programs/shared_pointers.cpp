// Three threads share an object through std::shared_ptr: who lets go of it last, and so deletes it, depends
// on the schedule, and not even on the order in which they lock it. With "then" each allocates a mutex of its
// own before and after it lets go; the second one perhaps where the object has been.
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Journal {
  std::mutex mutex;
  std::string text;
};

void record(Journal& journal) {
  std::lock_guard<std::mutex> guard(journal.mutex);
  journal.text += "a line that is too long for the small string optimization; ";
}

void useOwn() {
  auto own = std::make_shared<Journal>();
  record(*own);
}

}  // namespace

int main(int argc, char**) {
  bool then = argc > 1;
  auto journal = std::make_shared<Journal>();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([then, mine = journal]() mutable {
      record(*mine);
      if (then) useOwn();
      mine.reset();
      if (then) useOwn();
    });
  journal.reset();
  for (std::thread& thread : threads) thread.join();
}
