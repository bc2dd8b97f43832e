#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// C11 threads are pthreads under other names.

namespace mcmini {
namespace {

using Catch::Contains;

// Either one after the other, in two orders; or, in opposite order, each has its first lock.
TEST_CASE("C11 mutexes exclude", "[c11]") {
  expect({"c11", "same_order"}, {.traces = 2});
  expect({"c11", "opposite_order"}, deadlockIn(3));
}

// The attempt comes before the other's section, during it, or after it.
TEST_CASE("C11 attempts to lock fail while another thread has the mutex", "[c11]") {
  expect({"c11", "try_lock"}, {.traces = 3});
  expect({"c11", "timed_lock"}, {.traces = 3});
}

TEST_CASE("a recursive C11 mutex can be locked by its owner again", "[c11]") {
  expect({"c11", "recursive"}, {.traces = 2});
}

// Timed: the signal comes first; or the wait ends by it, or before it, and gets the mutex before who signals
// or after.
TEST_CASE("a C11 condition variable wakes who waits", "[c11]") {
  expect({"c11", "wait_and_signal"}, {.traces = 2});
  expect({"c11", "timed_wait"}, {.traces = 4});
}

// The broadcast comes first, then two sections in either order: 2. It comes after one of the waits: 2 for
// which, times 2 for who gets the mutex next, the one who was woken or the one who comes. It comes after
// both: 2 for their order, times 2 for the order in which they wake up. 2 + 4 + 4.
TEST_CASE("a C11 broadcast wakes all", "[c11]") {
  expect({"c11", "broadcast"}, {.traces = 10});
}

TEST_CASE("a C11 signal before the wait is lost", "[c11]") {
  expect({"c11", "lost_signal"}, deadlockIn(2));
}

TEST_CASE("destructors of C11 thread-specific storage run under control", "[c11]") {
  expect({"c11", "specific"}, {.traces = 2});
}

TEST_CASE("one of two threads runs what is to be called once", "[c11]") {
  expect({"c11", "once"}, {.traces = 2});
}

TEST_CASE("the result of a C11 thread is an int", "[c11]") {
  expect({"c11", "results"}, {});
}

TEST_CASE("a C11 thread can be detached", "[c11]") {
  expect({"c11", "detached"}, {});
}

TEST_CASE("a C11 sleep takes no time", "[c11]") {
  expect({"c11", "sleeping"}, {});
}

TEST_CASE("a report shows the place of a C11 call", "[c11]") {
  Outcome outcome = expect({"c11", "opposite_order"}, deadlockIn(3));
  CHECK_THAT(outcome.out, Contains("mutex_first#1  holds mutex (c11.c:"));
  CHECK_THAT(outcome.out, !Contains("libmcmini"));
}

TEST_CASE("a report names C11 calls as the user wrote them", "[c11]") {
  Outcome outcome = check({program("c11"), "opposite_order"});
  CHECK_THAT(outcome.out, Contains("mtx_lock(other)") && Contains("thrd_join(mutex_first#1)"));
  CHECK_THAT(outcome.out, !Contains("pthread_"));
}

}  // namespace
}  // namespace mcmini
