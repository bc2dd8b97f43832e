#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("semaphores hand over, exclude and count", "[semaphore]") {
  expect({"semaphore_ways", "handover"}, {});
  expect({"semaphore_ways", "posts"}, {});
  expect({"semaphore_ways", "mutex"}, {.traces = 6});
  expect({"semaphore_ways", "places"}, {.traces = 2});
  expect({"semaphore_ways", "shortage"}, {.traces = 2});
  expect({"semaphore_ways", "value"}, {.traces = 2});
}

TEST_CASE("who tries to take from a semaphore may be too early", "[semaphore]") {
  expect({"semaphore_ways", "try"}, {.traces = 4});
  expect({"semaphore_ways", "timed"}, {.traces = 4});
  expect({"semaphore_ways", "invalid"}, {.traces = 2});
  expect({"semaphore_ways", "long_ago"}, {});
}

TEST_CASE("two semaphores in opposite order deadlock", "[semaphore]") {
  Outcome outcome = expect({"semaphore_ways", "cross"}, deadlockIn(3));
  CHECK_THAT(outcome.out,
             Contains("s_then_t#1  waits in sem_wait(t)") && Contains("t_then_s#1  waits in sem_wait(s)"));
}

TEST_CASE("the other searches find the same with semaphores", "[semaphore]") {
  expectOfOthers({"semaphore_ways", "handover"}, {});
  expectOfOthers({"semaphore_ways", "places"}, {.traces = 2});
  expectOfOthers({"semaphore_ways", "shortage"}, {.traces = 2});
  expectOfOthers({"semaphore_ways", "try"}, {.traces = 4});
  expectOfOthers({"semaphore_ways", "cross"}, deadlockIn(3));
}

TEST_CASE("named semaphores are the same for all threads of a run, and new in each run", "[semaphore]") {
  expect({"semaphore_named", "together"}, {});
  expect({"semaphore_named", "exclusive"}, {.traces = 2});
  expect({"semaphore_named", "unlinked"}, {});
  expect({"semaphore_named", "absent"}, {});
  expect({"semaphore_named", "kept"}, {});
}

// One run each, since nothing else can happen; but a thread that is started before its semaphore is
// initialized may come later, too. Whether one waits already when it is destroyed is the same to others.
TEST_CASE("what must not be done to a semaphore is told", "[semaphore]") {
  expectMisuse("semaphore_misuse", "overflow", "main posts s, whose value is SEM_VALUE_MAX already");
  expectMisuse("semaphore_misuse", "uninitialized", "main calls sem_wait on s, which was never initialized");
  expectMisuse("semaphore_misuse", "late", "wait#1 calls sem_wait on s, which was never initialized", 2);
  expectMisuse("semaphore_misuse", "destroyed", "main calls sem_post on s, which has been destroyed");
  expectMisuse("semaphore_misuse", "while_waiting", "wait#1 calls sem_wait on s, which has been destroyed");
  expectMisuse("semaphore_misuse", "named",
               "main calls sem_destroy on \"/mcmini-test\", which sem_open made");
}

}  // namespace
}  // namespace mcmini
