// What the C++ library keeps for each thread.
//   exceptions   each throws one, and has it at hand while the other one runs
//   destructors  thread-local objects take a lock when their thread ends
//   future       a thread's exception reaches who asks for its result
#include <cassert>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::mutex lock;
int destroyed;

void take() {
  std::lock_guard held(lock);
}

void throwAndCatch(const std::string& words) {
  try {
    throw std::runtime_error(words);
  } catch (const std::exception& caught) {
    take();
    assert(words == caught.what() && std::uncaught_exceptions() == 0);
    assert(std::current_exception() != nullptr);
  }
  assert(std::current_exception() == nullptr);
}

struct Local {
  std::string words;
  ~Local() {
    std::lock_guard held(lock);
    if (words == "in use") ++destroyed;
  }
};
thread_local Local local;

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "exceptions") {
    std::thread first(throwAndCatch, "one");
    std::thread second(throwAndCatch, "two");
    first.join();
    second.join();
  }
  if (what == "destructors") {
    auto use = [] { local.words = "in use"; };
    std::thread first(use);
    std::thread second(use);
    first.join();
    second.join();
    assert(destroyed == 2);
  }
  if (what == "future") {
    auto result = std::async(std::launch::async, []() -> int { throw std::logic_error("none"); });
    bool caught = false;
    try {
      result.get();
    } catch (const std::logic_error&) {
      caught = true;
    }
    assert(caught);
  }
  return 0;
}
