#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

// The signal comes first, and nobody waits; or it wakes who waits. A signal after the mutex is given back
// comes too late to matter, or wakes who waits.
TEST_CASE("a condition variable wakes who waits", "[cond]") {
  expect({"cond_ways", "handover"}, {.traces = 2});
  expect({"cond_ways", "unlocked"}, {.traces = 2});
}

// The signal comes first; or the wait ends by it, or before it: and gets the mutex before who signals, or
// after.
TEST_CASE("a wait with a time limit may end at any time", "[cond]") {
  expect({"cond_ways", "timed"}, {.traces = 4});
  expect({"cond_ways", "clock"}, {.traces = 4});
  expect({"cond_ways", "monotonic"}, {.traces = 4});
  expect({"cond_ways", "invalid"}, {});
}

TEST_CASE("the time of a wait may be up while somebody else has the mutex", "[cond]") {
  expect({"timed_too_late", "asserts"}, {"assertion", 1, 4});
  expectOfOthers({"timed_too_late", "asserts"}, {"assertion", 1, 4});
  // The owner ends first; or the wait ends before the owner has the mutex, or after it has ended.
  expect({"timed_too_late", "owner_ends"}, {.traces = 3});
  for (const char* policy : {"arbitrary", "fifo", "lifo"}) {
    Outcome outcome = check({"--policy", policy, program("timed_too_late"), "passed_on"});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["complete"] == "yes");
    CHECK(check({"--policy", policy, program("timed_too_late"), "owner_ends"})["verdict"] == "ok");
  }
}

// As with C11: the broadcast comes first, then two sections in either order: 2. It comes after one of the
// waits: 2 for which, times 2 for who gets the mutex next. It comes after both: 2 for their order, times 2
// for the order in which they wake up.
TEST_CASE("a broadcast wakes all", "[cond]") {
  expect({"cond_ways", "broadcast"}, {.traces = 10});
}

// Main has two sections, M and N. The second thread comes after N, between M and N, or before M; then it
// looks after N, or also between. That is M N S, M S N S, S M N S or S M S N S. The first one comes at any
// place after M: 3 + 4 + 3 + 4. Or it comes before M and is back at any place after M: 3 + 4 + 2 * 3 + 2 * 4.
TEST_CASE("a signal after a broadcast is for who has come since, even if nobody has left yet", "[cond]") {
  expect({"cond_ways", "latecomer"}, {.traces = 35});
  expect({"cond_ways", "latecomer"}, {.traces = 35}, {"--policy", "cond=fifo"});
  expect({"cond_ways", "latecomer"}, {.traces = 35}, {"--policy", "cond=lifo"});
}

TEST_CASE("a signal that nobody waits for is lost", "[cond]") {
  expect({"cond_ways", "lost"}, deadlockIn(2));
  // A wakeup for no reason comes before the signal, after it, or instead of it; or does not come.
  expect({"cond_ways", "lost"}, deadlockIn(3), {"--policy", "spurious"});
}

// The thread comes before main's section or after it.
TEST_CASE("a condition variable can be destroyed as soon as all have been woken", "[cond]") {
  expect({"cond_ways", "destroyed"}, {.traces = 2});
}

// The thread comes before main's first section or while main waits for it.
TEST_CASE("a condition variable can be used with another mutex as soon as all have been woken", "[cond]") {
  expect({"cond_ways", "rebound"}, {.traces = 2});
  expectOfOthers({"cond_ways", "rebound"}, {.traces = 2});
}

TEST_CASE("a wait ends without its mutex if that is given up for good", "[cond]") {
  expect({"cond_ways", "robust"}, {});
  expect({"cond_ways", "gone"}, {.traces = 2});
  expect({"cond_ways", "gone"}, {.traces = 9}, {"--policy", "fifo"});
}

TEST_CASE("producers and consumers have the counts of brute force", "[cond][counts]") {
  expect({"producer_consumer", "1"}, {.traces = 2});
  expect({"producer_consumer", "2"}, {.traces = 64});
  for (const std::string policy : {"cond=fifo", "cond=lifo"}) {
    expect({"producer_consumer", "1"}, {.traces = 2}, {"--policy", policy});
    expect({"producer_consumer", "2"}, {.traces = 56}, {"--policy", policy});
  }
}

TEST_CASE("what must not be done to a condition variable is told", "[cond]") {
  expectMisuse("cond_misuse", "without_mutex", "main waits on cond without holding mutex");
  expectMisuse("cond_misuse", "of_another", "await_without#1 waits on cond without holding mutex");
  expectMisuse("cond_misuse", "wait_destroyed",
               "main calls pthread_cond_wait(cond, mutex), but cond has been destroyed");
  expectMisuse("cond_misuse", "signal_destroyed",
               "main calls pthread_cond_signal(cond), but cond has been destroyed");
  expectMisuse("cond_misuse", "destroy_twice",
               "main calls pthread_cond_destroy(cond), but cond has been destroyed");
  expectMisuse("cond_misuse", "wait_garbage",
               "main calls pthread_cond_wait(cond, mutex), but cond was never initialized");
  expectMisuse("cond_misuse", "destroy_garbage",
               "main calls pthread_cond_destroy(cond), but cond was never initialized");
  expectMisuse("cond_misuse", "signal_garbage",
               "main calls pthread_cond_signal(cond), but cond was never initialized");
}

// One of the two is the second to come, by its own mutex.
TEST_CASE("two mutexes with one condition variable are told of", "[cond]") {
  expectMisuse("cond_misuse", "two_mutexes",
               "await#2 waits on cond with other, while others wait on it with mutex, at cond_misuse.c:", 2);
}

// The thread waits when main comes, or comes later.
TEST_CASE("a condition variable must not be destroyed or initialized while threads wait", "[cond]") {
  expectMisuse("cond_misuse", "destroy_waiting", "main destroys cond while threads wait on it", 2);
  expectMisuse("cond_misuse", "init_waiting", "main initializes cond again while threads wait on it", 2);
}

TEST_CASE("a wait with a time limit is shown as it was written", "[cond]") {
  Outcome outcome = expect({"cond_ways", "shown"}, {"assertion", 1});
  CHECK_THAT(outcome.out, Contains("pthread_cond_clockwait(cond, mutex)") && !Contains("pthread_cond_wait"));
}

}  // namespace
}  // namespace mcmini
