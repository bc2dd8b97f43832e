#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("who waits for a signal's handler is not deadlocked, and not all orders are known", "[handlers]") {
  for (const char* what : {"alarm", "late", "sleeps", "posix", "process", "blocked", "thread", "syscall",
                           "pipe", "timer", "spare", "child"}) {
    INFO(what);
    Outcome outcome = expect({"handlers", what}, {.traces = 1, .complete = "no"});
    CHECK_THAT(outcome.out, Contains("Not complete: handlers of signals run at a time that nobody chose."));
  }
}

TEST_CASE("a signal's handler changes memory that its thread looks at", "[handlers]") {
  CHECK(check({program("handlers"), "memory"})["verdict"] == "ok");
}

TEST_CASE("a call that waits in the kernel is ended by a signal's handler, unless it is to go on",
          "[handlers]") {
  for (const char* what : {"reading", "stop", "restart"}) {
    INFO(what);
    expect({"handlers", what}, {.traces = 1, .complete = "no"});
  }
  compare(check({program("handlers"), "suspended"}), {.traces = 1, .complete = "no"});
}

TEST_CASE("a thread has handled what it sends to itself when the call returns", "[handlers]") {
  expect({"handlers", "at_once"}, {.traces = 1});
}

TEST_CASE("signals with values come to a thread one after the other", "[handlers]") {
  expect({"handlers", "queued"}, {.traces = 1, .complete = "no"});
}

TEST_CASE("a handler runs before its thread looks whether it has to wait", "[handlers]") {
  expect({"handlers", "between"}, {.traces = 3, .complete = "no"});
}

TEST_CASE("the ticks of a clock do not disturb the operations of threads", "[handlers]") {
  expect({"handlers", "ticks"}, {.traces = 6, .complete = "no"});
}

TEST_CASE("a thread of the C library that takes what others use is told of", "[handlers]") {
  Outcome outcome = check({program("handlers"), "stolen"});
  CHECK(outcome.exitCode == 4);
  CHECK_THAT(outcome.err, Contains("is used out of mcmini's sight as well") && Contains("SIGEV_THREAD"));
}

TEST_CASE("threads that wait for each other are deadlocked, whatever a handler would do", "[handlers]") {
  expect({"handlers", "watchdog"}, {.verdict = "deadlock", .bugs = 1, .traces = 3, .complete = "no"});
  expect({"handlers", "no_handler"}, {"deadlock", 1, 3});
}

TEST_CASE("signals can be left out of account", "[handlers]") {
  compare(check({"--on-unsupported", "ignore", program("handlers"), "alarm"}), {.traces = 1});
}

}  // namespace
}  // namespace mcmini
