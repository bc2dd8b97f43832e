#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("who waits for a signal's handler is not deadlocked, and not all orders are known", "[handlers]") {
  for (const char* what : {"alarm", "late", "process", "thread", "pipe", "timer"}) {
    INFO(what);
    Outcome outcome = expect({"handlers", what}, {.traces = 1, .complete = "no"});
    CHECK_THAT(outcome.out, Contains("Not complete: handlers of signals run at a time that nobody chose."));
  }
}

TEST_CASE("a signal's handler changes memory that its thread looks at", "[handlers]") {
  CHECK(check({program("handlers"), "memory"})["verdict"] == "ok");
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
