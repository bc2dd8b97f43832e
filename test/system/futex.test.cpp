#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many traces the programs in C have is derived at each of their functions.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("a futex wait returns when it is woken, or if the value is another", "[futex]") {
  expect({"futexes", "changed"}, {.traces = 4});
}

TEST_CASE("a futex wake that nobody waits for is lost", "[futex]") {
  Outcome outcome = expect({"futexes", "lost"}, deadlockIn(2));
  CHECK_THAT(outcome.out, Contains("wait_once#1  waits in futex_wait(word)"));
}

TEST_CASE("a futex wake wakes one of two", "[futex]") {
  expect({"futexes", "one_of_two"}, {"deadlock", 2, 5});  // either of the two waits for ever
}

TEST_CASE("a futex wait with a time limit may time out", "[futex]") {
  expect({"futexes", "timed"}, {.traces = 3});
  expect({"futexes", "deadline"}, {.traces = 3});
}

TEST_CASE("a futex wait for certain bits does not hear of others", "[futex]") {
  expect({"futexes", "bits"}, {.traces = 14});
}

TEST_CASE("a futex waiter can be moved to another futex", "[futex]") {
  expect({"futexes", "requeued"}, deadlockIn(4));
  expect({"futexes", "compared"}, {.traces = 3});
}

TEST_CASE("wrong system calls get the errors that they get without the checker", "[futex]") {
  expect({"futexes", "wrong_calls"}, {});
}

TEST_CASE("a futex operation that is not modelled is named", "[futex]") {
  Outcome outcome = check({program("futexes"), "priority_inheritance"});
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("futex.lock_pi") && Contains("futexes.c"));
}

// In libstdc++ a thread that is about to wait yields four times, compares and waits. Its comparison comes
// before or after the wake; with two waiters, both before it leaves two orders in which they go: 3 + 2.
TEST_CASE("std::atomic::wait ends by a notification", "[futex][std]") {
  expect({"std_waits", "atomic"}, {.traces = 5});
  expect({"std_waits", "atomic_deadlock"}, deadlockIn(5));
}

// Main has released everything before anybody asks; that somebody waits first would take another order of
// plain atomics. With too little, the second thread compares after main's wake or before it, and waits in
// vain.
TEST_CASE("std::counting_semaphore gives out what it has", "[futex][std]") {
  expect({"std_waits", "semaphore"}, {});
  expect({"std_waits", "semaphore_deadlock"}, deadlockIn(2));
  expect({"std_waits", "timed_semaphore"}, {});
}

// The last one to arrive wakes the waiter, or comes before its comparison.
TEST_CASE("std::latch opens when all have counted down", "[futex][std]") {
  expect({"std_waits", "latch"}, {.traces = 2});
  expect({"std_waits", "latch_deadlock"}, deadlockIn(1));
}

TEST_CASE("std::barrier opens when all have arrived", "[futex][std]") {
  expect({"std_waits", "barrier"}, {.traces = 2});
  expect({"std_waits", "barrier_deadlock"}, deadlockIn(1));
}

TEST_CASE("std::future gets what was promised", "[futex][std]") {
  expect({"std_waits", "promise"}, {.traces = 2});
  expect({"std_waits", "promise_deadlock"}, deadlockIn(1));
  expect({"std_waits", "packaged_task"}, {.traces = 2});
  expect({"std_waits", "timed_future"}, {.traces = 3});
}

// Main joins the threads before it looks at their results.
TEST_CASE("std::async runs and is waited for", "[futex][std]") {
  expect({"std_waits", "async"}, {});
  expect({"std_waits", "async_deadlock"}, deadlockIn(1));
}

// By either of two threads; the other one is in the report then, as one that waits for it.
TEST_CASE("a static object is made once, and its constructor may block", "[futex][std]") {
  expect({"std_waits", "guard"}, {.traces = 2});
  expect({"std_waits", "guard_deadlock"}, {"deadlock", 2, 2});
}

TEST_CASE("std::jthread can be asked to stop", "[futex][std]") {
  expect({"std_waits", "stop_token"}, {});
  expect({"std_waits", "stop_token_deadlock"}, deadlockIn(1));
  expect({"std_waits", "stop_callback"}, {});
}

// What these threads tell one another by atomics is not an operation: in another order of operations they do
// other things. That is not for want of determinism. The search goes on as far as it can, and then the other
// one does, which has runs to give up.
void expectAccepted(const std::string& what, std::uint64_t traces, std::uint64_t blocked = 0) {
  Outcome outcome = expect({"std_waits", what}, {.traces = traces, .complete = "no", .blocked = blocked});
  CHECK_THAT(outcome.out, Contains("out of sight"));
}

TEST_CASE("threads that tell one another by atomics what to do are not refused, and not called complete",
          "[futex][std]") {
  expectAccepted("barrier_of_three", 25 + 19, 3);
  expectAccepted("semaphore_and_lock", 2 + 2, 1);
  expectAccepted("flag_and_lock", 1 + 1, 1);
}

}  // namespace
}  // namespace mcmini
