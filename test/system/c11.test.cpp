#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// C11 threads are pthreads under other names.

namespace mcmini {
namespace {

using Catch::Contains;

void expect(const std::string& what, const std::string& verdict, std::uint64_t traces) {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({program("c11", variant), what});
    INFO(variant << " " << what << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == verdict);
    CHECK(outcome["traces"] == std::to_string(traces));
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
}

// Either one after the other, in two orders; or, in opposite order, each has its first lock.
TEST_CASE("C11 mutexes exclude", "[c11]") {
  expect("same_order", "ok", 2);
  expect("opposite_order", "deadlock", 3);
}

// The attempt comes before the other's section, during it, or after it.
TEST_CASE("C11 attempts to lock fail while another thread has the mutex", "[c11]") {
  expect("try_lock", "ok", 3);
  expect("timed_lock", "ok", 3);
}

TEST_CASE("a recursive C11 mutex can be locked by its owner again", "[c11]") {
  expect("recursive", "ok", 2);
}

// Timed: the signal comes first; or the wait ends before it, or by it.
TEST_CASE("a C11 condition variable wakes who waits", "[c11]") {
  expect("wait_and_signal", "ok", 2);
  expect("timed_wait", "ok", 3);
}

// The broadcast comes first, then two sections in either order: 2. It comes after one of the waits: 2 for
// which, times 2 for who gets the mutex next, the one who was woken or the one who comes. It comes after
// both: 2 for their order, times 2 for the order in which they wake up. 2 + 4 + 4.
TEST_CASE("a C11 broadcast wakes all", "[c11]") {
  expect("broadcast", "ok", 10);
}

TEST_CASE("a C11 signal before the wait is lost", "[c11]") {
  expect("lost_signal", "deadlock", 2);
}

TEST_CASE("destructors of C11 thread-specific storage run under control", "[c11]") {
  expect("specific", "ok", 2);
}

TEST_CASE("one of two threads runs what is to be called once", "[c11]") {
  expect("once", "ok", 2);
}

TEST_CASE("the result of a C11 thread is an int", "[c11]") {
  expect("results", "ok", 1);
}

TEST_CASE("a C11 thread can be detached", "[c11]") {
  expect("detached", "ok", 1);
}

TEST_CASE("a C11 sleep takes no time", "[c11]") {
  expect("sleeping", "ok", 1);
}

TEST_CASE("a report shows the place of a C11 call", "[c11]") {
  Outcome outcome = check({program("c11"), "opposite_order"});
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
