#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// Threads that run as fibers are threads to the program; one that calls what the system knows of a thread has
// those of the system.

namespace mcmini {
namespace {

using Catch::Contains;

void expectOfBoth(const std::vector<std::string>& command, const Expected& expected,
                  std::vector<std::string> options = {}) {
  expect(command, expected, options);
  options.emplace_back("--system-threads");
  expect(command, expected, options);
}

// Two threads that take a lock.
TEST_CASE("a fiber has to itself what a thread has", "[fibers]") {
  expectOfBoth({"fibers", "own"}, {.traces = 2});
  expectOfBoth({"fibers", "stacks"}, {.traces = 2});
  expectOfBoth({"fibers_std", "exceptions"}, {.traces = 2});
  expectOfBoth({"fibers_std", "destructors"}, {.traces = 2});
  expectOfBoth({"fibers_std", "future"}, {});
}

TEST_CASE("a fiber begins with what its creator has at that time", "[fibers]") {
  expectOfBoth({"fibers", "inherited"}, {.traces = 2});
  expectOfBoth({"fibers", "x87"}, {.traces = 2});
}

TEST_CASE("a fiber has the locale of its process", "[fibers]") {
  expectOfBoth({"fibers", "locale"}, {.traces = 2});
}

TEST_CASE("destructors of many keys run before a fiber ends", "[fibers]") {
  expectOfBoth({"fibers", "keys"}, {});
}

// One section in one thread, five in the other.
TEST_CASE("a fiber returns its value, whoever makes keys meanwhile", "[fibers]") {
  expectOfBoth({"fibers", "values"}, {.traces = 6});
}

TEST_CASE("a fiber has a number and a clock of its own", "[fibers]") {
  expectOfBoth({"fibers", "numbers"}, {});
}

// Main takes the lock before the other thread or after it.
TEST_CASE("a thread that cannot be created does nothing", "[fibers]") {
  expectOfBoth({"fibers", "unmade"}, {.traces = 2});
}

TEST_CASE("a stack of the program can be used again", "[fibers]") {
  expectOfBoth({"fibers", "again"}, {});
}

TEST_CASE("a fiber can end by a system call", "[fibers]") {
  expectOfBoth({"fibers", "gone"}, {.traces = 2});
}

// Each thread takes the lock twice, to fork and after that.
TEST_CASE("handlers of a fork run in the program and in its child", "[fibers]") {
  expectOfBoth({"fibers", "at_fork"}, {.traces = 6});
}

TEST_CASE("there may be more fibers than were made ready", "[fibers]") {
  expectOfBoth({"fibers", "many"}, {});
}

TEST_CASE("the process ends with its last fiber, and not before", "[fibers]") {
  expectOfBoth({"fibers", "last_leaves"}, {"exit", 1, 2});
  expectOfBoth({"fibers", "main_leaves"}, {"exit", 2, 2});
}

TEST_CASE("a fiber that forks may return in both processes", "[fibers]") {
  expectOfBoth({"fiber_ends", "twice"}, {.traces = 2});
}

TEST_CASE("who ends the process after all have left may lock", "[fibers]") {
  expectOfBoth({"fiber_ends", "last_locks"}, {});
}

TEST_CASE("a stack may lie in the heap of another fiber", "[fibers]") {
  expectOfBoth({"fiber_ends", "in_heap"}, {.traces = 2});
}

// Before the others take the lock in either order, one thread does.
TEST_CASE("the program's memory and the stacks of its fibers leave each other alone", "[fibers]") {
  expectOfBoth({"fiber_ends", "wish"}, {.traces = 2});
}

TEST_CASE("a fiber that crashes is caught, and hides nothing of what others do", "[fibers]") {
  expectOfBoth({"fibers", "overflow"}, {"crash", 1, 2});
  expectOfBoth({"fibers", "crashes"}, {"crash", 1, 2});
}

TEST_CASE("a fiber that waits for memory or for a pipe lets others run", "[fibers]") {
  expectOfBoth({"fibers", "relay"}, {});
  expectOfBoth({"fibers", "pipe"}, {.traces = 2}, {"--step-timeout", "500ms"});
}

TEST_CASE("a process that a fiber forks has threads of its own", "[fibers]") {
  expectOfBoth({"fibers", "forks"}, {.traces = 2});
}

TEST_CASE("the doctor tells how threads run, and why not as fibers", "[fibers][doctor]") {
  auto told = [](std::vector<std::string> arguments) { return check(arguments).out; };
  CHECK_THAT(told({"doctor", program("fibers")}), Contains("its threads         run as fibers\n"));
  CHECK_THAT(told({"doctor", "--system-threads", program("fibers")}),
             Contains("run as threads of the system, which is slower\n"));
  CHECK_THAT(told({"doctor", program("thread_ways")}),
             Contains("run as threads of the system, which is slower: it is linked with pthread_"));
}

}  // namespace
}  // namespace mcmini
