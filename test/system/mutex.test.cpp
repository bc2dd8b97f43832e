#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

// The wait comes before the other's section, during it, or after it.
TEST_CASE("who waits for a mutex until a certain time may come too early", "[mutex]") {
  expect({"mutex_ways", "timed"}, {.traces = 3});
  expect({"mutex_ways", "clock"}, {.traces = 3});
  expect({"mutex_ways", "invalid"}, {.traces = 3});
}

TEST_CASE("two sections have two orders, whatever the kind of the mutex", "[mutex]") {
  expect({"mutex_ways", "recursive"}, {.traces = 2});
  expect({"mutex_ways", "adaptive"}, {.traces = 2});
  expect({"mutex_ways", "inherit"}, {.traces = 2});
}

TEST_CASE("what concerns the priority ceiling is left to the C library", "[mutex]") {
  expect({"mutex_ways", "ceiling"}, {});
  expect({"mutex_ways", "attributes"}, {});
}

TEST_CASE("a mutex whose priority ceiling is above the thread's is refused, which is no bug", "[mutex]") {
  expect({"mutex_ways", "protected"}, {});
}

TEST_CASE("an error-checking mutex refuses mistakes, which are none then", "[mutex]") {
  expect({"mutex_ways", "refused"}, {});
}

// It is taken by the thread that keeps it first or last; who tries may come while it is held, too.
TEST_CASE("a robust mutex outlives its owner", "[mutex]") {
  expect({"mutex_ways", "robust"}, {.traces = 2});
  expect({"mutex_ways", "robust_try"}, {.traces = 3});
  expect({"mutex_ways", "unrecoverable"}, {});
}

TEST_CASE("a mutex that was destroyed is new when its memory is initialized, of very many, too", "[mutex]") {
  expect({"mutex_ways", "many"}, {});
}

// Twice in one order or the other; the rest has no order.
TEST_CASE("what was destroyed and made anew without a call may be used by several threads", "[mutex]") {
  expect({"made_anew", "mutex"}, {.traces = 4});
  expect({"made_anew", "cond"}, {});
  expect({"made_anew", "rwlock"}, {});
  for (const char* policy : {"fifo", "lifo"})
    CHECK(check({"--policy", policy, program("made_anew"), "mutex"})["verdict"] == "ok");
  Outcome outcome = expect({"made_anew", "early"}, {"misuse", 1, 3});  // before, between, after
  CHECK_THAT(outcome.out, Contains("MISUSE    main destroys mutex while lock#1 holds it"));
}

TEST_CASE("what must not be done to a mutex is told", "[mutex]") {
  expectMisuse("mutex_misuse", "unlocked", "main unlocks lock, which is not locked");
  expectMisuse("mutex_misuse", "unlock_twice", "main unlocks lock, which is not locked");
  expectMisuse("mutex_misuse", "lock_destroyed",
               "main calls pthread_mutex_lock on lock, which has been destroyed");
  expectMisuse("mutex_misuse", "unlock_destroyed",
               "main calls pthread_mutex_unlock on lock, which has been destroyed");
  expectMisuse("mutex_misuse", "destroy_twice",
               "main calls pthread_mutex_destroy on lock, which has been destroyed");
  expectMisuse("mutex_misuse", "garbage",
               "main calls pthread_mutex_lock on lock, which was never initialized");
  expectMisuse("mutex_misuse", "destroy_garbage",
               "main calls pthread_mutex_destroy on lock, which was never initialized");
  expectMisuse("mutex_misuse", "overwritten",
               "main calls pthread_mutex_lock on lock, whose memory has been overwritten");
  expectMisuse("mutex_misuse", "destroy_own", "main destroys lock while it holds it");
  expectMisuse("mutex_misuse", "destroy_other", "main destroys lock while keep_for_a_while#1 holds it");
  expectMisuse("mutex_misuse", "init_held", "main initializes lock again while it holds it");
  expectMisuse("mutex_misuse", "forgotten", "keep#1 ends while it holds lock");
  expectMisuse("mutex_misuse", "exit_holding", "keep_and_exit#1 ends while it holds lock");
}

// The lock comes after the initialization or before it; where the memory is that of a mutex before, the
// initialization comes also between the lock and the unlock.
TEST_CASE("a mutex that may be locked before its initialization is told of", "[mutex]") {
  Outcome outcome = expect({"mutex_misuse", "too_early"}, {"misuse", 1, 2});
  CHECK_THAT(outcome.out, Contains("use#1 calls pthread_mutex_lock on lock, which was never initialized"));
  outcome = expect({"mutex_misuse", "too_early_zero"}, {"misuse", 1, 3});
  CHECK_THAT(outcome.out, Contains("main initializes lock again while use#1 holds it"));
}

TEST_CASE("a thread that locks a normal mutex twice is said to wait for itself", "[mutex]") {
  Outcome outcome = expect({"mutex_misuse", "relock"}, deadlockIn(1));
  CHECK_THAT(outcome.out, Contains("DEADLOCK  main waits for itself: a self-deadlock"));
  CHECK_THAT(outcome.out, Contains("main  holds lock (mutex_misuse.c:") &&
                              Contains("wants lock (mutex_misuse.c:") && Contains(", held by itself"));
}

TEST_CASE("a lock with a time limit is shown as it was written", "[mutex]") {
  Outcome outcome = expect({"mutex_ways", "shown"}, {"assertion", 1});
  CHECK_THAT(outcome.out, Contains("pthread_mutex_clocklock(mutex) = ETIMEDOUT") && !Contains("timedlock"));
}

}  // namespace
}  // namespace mcmini
