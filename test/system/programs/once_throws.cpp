// std::call_once, by two threads.
//   fine    the order in which they come: 2 behaviours
//   throws  the first call throws, so it was not done, and the other thread does it: 2
//   twice   a thread whose call threw tries again, with the other thread before, between or after: 3
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::once_flag once;
int attempts = 0;
int done = 0;

void doIt() {
  ++done;
}

void failAtFirst() {
  if (attempts++ == 0) throw std::runtime_error("not yet");
  ++done;
}

void callFine() {
  std::call_once(once, doIt);
  assert(done == 1);
}

bool callFailing() {
  try {
    std::call_once(once, failAtFirst);
  } catch (const std::runtime_error&) {
    return false;
  }
  assert(done == 1);
  return true;
}

void insist() {
  if (!callFailing()) assert(callFailing());
}

template <class First, class Second>
void run(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

}  // namespace

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "fine") run(callFine, callFine);
  if (what == "throws") run(callFailing, callFailing);
  if (what == "twice") run(insist, callFailing);
  assert(done == 1);
  return 0;
}
