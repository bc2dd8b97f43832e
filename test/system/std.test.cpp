#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// What the standard library has for threads, other than what futex.test.cpp, once.test.cpp and
// rwlock.test.cpp look at.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("two sections of the standard library's mutexes have two orders", "[std]") {
  expect({"std_ways", "guard"}, {.traces = 2});
  expect({"std_ways", "recursive"}, {.traces = 2});
  expect({"std_ways", "jthread"}, {.traces = 2});
}

TEST_CASE("shared pointers that threads load and store have an order", "[std]") {
  expect({"std_ways", "atomic_pointer"}, {"assertion", 1, 2});
}

// The attempt comes before the other's section, during it, or after it.
TEST_CASE("attempts to lock the standard library's mutexes may come too early", "[std]") {
  expect({"std_ways", "try"}, {.traces = 3});
  expect({"std_ways", "try_for"}, {.traces = 3});
  expect({"std_ways", "try_until"}, {.traces = 3});
}

// The first lock is given back before the second: who comes then gets the second at once, or has to turn
// round. Times two for who is first.
TEST_CASE("std::scoped_lock takes two mutexes", "[std]") {
  expect({"std_ways", "scoped"}, {.traces = 4});
}

// Who is first gets both; or each has its first one, and one fails before the other one has both; or both
// fail, and try it the other way round. Who is given the first of two back before the second fails once more:
// 1 + 1 + 2 + 2 in the order of the program, and 2 + 2 + 1 + 1 in the other one. When both are back where
// they began, two runs are left in which nobody fails again, and one in which somebody does: it is not
// followed.
TEST_CASE("std::scoped_lock does not deadlock, whatever the order", "[std]") {
  Outcome outcome = expect({"std_ways", "scoped_reversed"}, {.traces = 15, .complete = "bounded"});
  CHECK_THAT(outcome.out, Contains("Bounded: the loop at "));
}

// The notification comes first, or wakes who waits; with a time limit, the wait may end before it, and get
// the mutex before who notifies or after.
TEST_CASE("the standard library's condition variables wake who waits", "[std]") {
  expect({"std_ways", "wait"}, {.traces = 2});
  expect({"std_ways", "wait_any"}, {.traces = 2});
  expect({"std_ways", "wait_for"}, {.traces = 4});
  expect({"std_ways", "wait_lost"}, deadlockIn(2));
}

TEST_CASE("a detached std::thread that main does not wait for is told of", "[std]") {
  CHECK_THAT(expect({"std_ways", "detached"}, {}).err,
             Contains("main can end the process while thread#1 is still running"));
}

// What futures hand on is out of sight, so some orders that are planned turn out to be others. After that the
// other search is tried. That takes long, so one build has to do.
TEST_CASE("a pool of threads with futures is followed as far as it can be seen", "[std]") {
  compare(check({program("task_pool", "clang-O2")}),
          {.traces = 4584 + 5146, .complete = "no", .blocked = 943});
}

TEST_CASE("what threads tell each other out of sight does not keep a bug from being found", "[std]") {
  for (const std::string& variant : variants("out_of_sight")) {
    Outcome outcome = check({program("out_of_sight", variant)});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "assertion");
    CHECK(outcome["bugs"] == "1");
    CHECK(outcome["complete"] == "no");
  }
}

TEST_CASE("an order that a program does not follow is given up at once", "[std]") {
  for (const std::string& variant : variants("stray_join")) {
    Outcome outcome = check({"--step-timeout", "20s", program("stray_join", variant)});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "deadlock");
    CHECK(outcome["complete"] == "no");
    CHECK(outcome.elapsed < std::chrono::seconds(10));
  }
}

// As libraries do that bring a heap of their own.
TEST_CASE("memory that a library's own operator new has made is given back to that library", "[std]") {
  ScratchDirectory directory;
  (void)directory.write("heap.cpp", R"(
#include <cstddef>
#include <cstdlib>
static char memory[1 << 20];
static std::size_t used;
void* operator new(std::size_t size) { return memory + ((used += (size + 31) & ~15UL) - ((size + 15) & ~15UL)); }
void operator delete(void* place) noexcept { if (place < memory || place >= memory + sizeof memory) abort(); }
void operator delete(void* place, std::size_t) noexcept { operator delete(place); }
)");
  (void)directory.write("use.cpp", R"(
#include <thread>
int main() {
  int* volatile number = new int(1);
  std::thread thread([&] { delete number; });
  thread.join();
}
)");
  REQUIRE(shell(directory.path(),
                "g++ -shared -fPIC -o libheap.so heap.cpp && g++ -g -pthread -o use use.cpp -L. -lheap "
                "-Wl,-rpath,.")
              .exitCode == 0);
  Settings settings;
  settings.directory = directory.path();
  compare(check({"./use"}, settings), {});
}

}  // namespace
}  // namespace mcmini
