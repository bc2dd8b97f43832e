#include <catch2/catch.hpp>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("threads have results, names and attributes", "[thread]") {
  expect({"thread_ways", "results"}, {});
  expect({"thread_ways", "identity"}, {});
  expect({"thread_ways", "made"}, {});
  expect({"thread_ways", "guarded"}, {});
}

TEST_CASE("main is a thread before it creates any", "[thread]") {
  expect({"thread_ways", "alone"}, {});
  expect({"thread_ways", "cancelled"}, {});
  expectMisuse("thread_misuse", "alone_itself", "main joins itself");
  expectMisuse("thread_misuse", "alone_none", "main joins a thread that does not exist");
}

// Two threads take a lock, in either order.
TEST_CASE("a thread that cannot be created is no thread", "[thread]") {
  CHECK(expect({"thread_ways", "impossible"}, {.traces = 2}).err == kNone);
  CHECK(expect({"thread_ways", "crowd"}, {.traces = 2}).err == kNone);
}

// The same.
TEST_CASE("a thread may have a stack larger than its slot", "[thread]") {
  expect({"thread_ways", "large"}, {.traces = 2});
}

// The thread has ended by then or not.
TEST_CASE("who tries to join, or waits until a certain time, may come too early", "[thread]") {
  expect({"thread_ways", "try"}, {.traces = 2});
  expect({"thread_ways", "timed"}, {.traces = 2});
  expect({"thread_ways", "clock"}, {.traces = 2});
  expect({"thread_ways", "no_limit"}, {});
}

TEST_CASE("destructors of keys run under control", "[thread]") {
  expect({"thread_ways", "keys"}, {.traces = 2});
}

TEST_CASE("a main that returns while threads run is a warning with their names", "[thread]") {
  for (const std::string how : {"cut_off", "detached"}) {
    Outcome outcome = expect({"thread_ways", how}, {});
    CHECK_THAT(outcome.err, Contains("warning: main can end the process while take#1 is still running"));
  }
  CHECK_THAT(expect({"background"}, {.complete = "bounded"}).err, Contains("while work#1 is still running"));
  CHECK(expect({"thread_ways", "keys"}, {.traces = 2}).err == kNone);
}

// Of main and the thread that it tries to join, either one is first, which makes no difference to the
// verdict.
TEST_CASE("what must not be done to a thread is told", "[thread]") {
  expectMisuse("thread_misuse", "join_itself", "join_itself#1 joins itself");
  expectMisuse("thread_misuse", "join_detached", "main joins nothing#1, which is detached", 2);
  expectMisuse("thread_misuse", "join_made_so", "main joins nothing#1, which is detached", 2);
  expectMisuse("thread_misuse", "join_twice", "main joins nothing#1, which has been joined already");
  expectMisuse("thread_misuse", "detach_twice", "main detaches nothing#1, which is detached already");
  expectMisuse("thread_misuse", "detach_joined", "main detaches nothing#1, which has been joined already");
  expectMisuse("thread_misuse", "cancel_joined", "main cancels nothing#1, which has been joined already");
  expectMisuse("thread_misuse", "try_detached", "main joins nothing#1, which is detached", 2);
}

// The cancellation comes before the thread asks, before it ends, or after that.
TEST_CASE("a thread that asks whether it is cancelled may ask too early", "[cancel]") {
  expect({"cancel_ways", "testcancel"}, {.traces = 3});
  expect({"cancel_ways", "itself"}, {});
  expect({"cancel_ways", "itself_at_once"}, {});
}

// Nobody posts, signals or ends: the cancellation is the only way out.
TEST_CASE("a thread that waits for ever can be cancelled", "[cancel]") {
  expect({"cancel_ways", "sem"}, {});
  expect({"cancel_ways", "cond"}, {});
  expect({"cancel_ways", "join"}, {});
}

// The cancellation comes before the wait is over, before the thread ends, or after that.
TEST_CASE("a wait is a cancellation point even if it need not wait", "[cancel]") {
  expect({"cancel_ways", "sem_posted"}, {.traces = 3});
  expect({"cancel_ways", "sem_timed"}, {.traces = 3});
  expect({"cancel_ways", "sem_clock"}, {.traces = 3});
  expect({"cancel_ways", "cond_timed"}, {.traces = 3});
  expect({"cancel_ways", "join_timed"}, {.traces = 3});
}

// The cancellation comes before the thread's end, or after it.
TEST_CASE("a thread is not cancelled where it cannot be", "[cancel]") {
  expect({"cancel_ways", "disabled"}, {.traces = 2});
  expect({"cancel_ways", "try"}, {.traces = 2});
}

TEST_CASE("a cleanup handler may wait", "[cancel]") {
  expect({"cancel_ways", "in_handler"}, {});
}

// Derived and counted by brute force in test/plugins/counts.test.cpp: what the C library does to unwind a
// cancelled thread's stack is no operation of the program.
TEST_CASE("a signal that a cancelled thread does not need wakes another one", "[cancel]") {
  expect({"cancel_ways", "passed_on"}, {.traces = 20}, {"--policy", "arbitrary"});
  expect({"cancel_ways", "passed_on"}, {.traces = 68}, {"--policy", "fifo"});
  expect({"cancel_ways", "passed_on"}, {.traces = 336}, {"--policy", "lifo"});
}

TEST_CASE("a thread that can be cancelled anywhere is cancelled at cancellation points, which is told",
          "[cancel]") {
  Outcome outcome = expect({"cancel_ways", "anywhere"}, {.traces = 2});
  CHECK_THAT(outcome.err, Contains("cancelled at cancellation points only"));
}

}  // namespace
}  // namespace mcmini
