#include <catch2/catch.hpp>

#include "test/support/busy_processor.hpp"
#include "test/support/expected.hpp"

// Threads that reach no operation for long are interrupted, so that others may run. They are stuck only if
// nobody else can help them.

namespace mcmini {
namespace {

using Catch::Contains;

const std::vector<std::string> kPatient = {"--step-timeout", "1s", "--on-unsupported", "ignore"};
const std::vector<std::string> kHurried = {"--step-timeout", "300ms", "--on-unsupported", "ignore"};

// The section of the thread that waits comes after what it waits for, which is after the other section. That
// no other order is possible cannot be known without watching the memory.
TEST_CASE("a thread that waits for an atomic variable lets the others run", "[memory_waits]") {
  expect({"memory_waits", "flag_after_lock"}, {.complete = "no"}, kPatient);
  Outcome outcome = expect({"memory_waits", "flag"}, {}, kPatient);
  CHECK_THAT(outcome.out, Contains("Complete for the order of operations."));
}

TEST_CASE("a thread that yields until an atomic variable is set cannot be ahead of that", "[memory_waits]") {
  expect({"memory_waits", "yield"}, {.traces = 1 + 1, .complete = "no", .blocked = 1}, kPatient);
}

// Who has the lock of the other one's making first has the mutex first. The order is decided where the
// threads start, which seems to make no difference.
TEST_CASE("orders that depend on a lock of the program's own making are not claimed to be complete",
          "[memory_waits]") {
  expect({"memory_waits", "own_lock"}, {.complete = "no"}, kPatient);
}

TEST_CASE("threads that wait for one another's variables get on together", "[memory_waits]") {
  expect({"memory_waits", "chain"}, {}, kPatient);
}

// The lock is taken by the one that waits, who is stuck then, or by the other one first.
TEST_CASE("a thread that waits for what nobody can do is stuck", "[memory_waits]") {
  Outcome outcome = expect({"memory_waits", "with_lock"}, {"stuck", 1, 2, "no"}, kHurried);
  CHECK_THAT(outcome.out,
             Contains("STUCK     await_flag_in_section#1") && Contains("it is at memory_waits.c:49"));
}

Outcome once(const std::string& way, std::vector<std::string> options, const Settings& settings = {}) {
  options.insert(options.end(), {program("memory_waits"), way});
  return check(options, settings);
}

TEST_CASE("threads that wait for each other's variables for ever are a livelock", "[memory_waits]") {
  Outcome outcome = once("each_other", kHurried);
  compare(outcome, {"livelock", 1, 1});
  CHECK_THAT(outcome.out, Contains("await_second#1           goes round in a loop (memory_waits.c:54)") &&
                              Contains("await_flag_then_third#1  goes round in a loop (memory_waits.c:59)"));
  outcome = once("yield_for_each_other", kHurried);
  compare(outcome, {"livelock", 1, 1});
  CHECK_THAT(outcome.out, Contains("repeats sched_yield()") && Contains("goes round in a loop"));
}

// The one that works is interrupted, as is the one that waits for it. How much it did until then is seen by
// the other one, and is not the same each time: not all orders can be repeated, which is said.
TEST_CASE("threads may wait for one that works for long", "[memory_waits]") {
  CHECK(once("for_a_worker", kPatient, dependingOnTime())["verdict"] == "ok");
}
TEST_CASE("threads may yield until one that works for long is done", "[.][campaign]") {
  CHECK(once("yield_for_a_worker", kPatient, dependingOnTime())["verdict"] == "ok");
}

TEST_CASE("a thread that waits at a pipe lets the others run, and is not told of the signal",
          "[memory_waits]") {
  expect({"memory_waits", "read"}, {}, kPatient);
  expect({"memory_waits", "poll"}, {}, kPatient);
}

// Each read has to be found to wait; none takes all the time that a thread may have.
TEST_CASE("threads that wait at pipes in turns get on", "[memory_waits]") {
  CHECK(expect({"memory_waits", "ping_pong"}, {}, {"--step-timeout", "30s"}).elapsed <
        std::chrono::seconds(30));
}

// The one whose turn it is does not have a processor for a while; who is asked meanwhile waits for its turn.
TEST_CASE("threads that wait at pipes in turns get on beside many others", "[memory_waits]") {
  BusyProcessor busy(50);
  Outcome outcome = check({"--system-threads", "--step-timeout", "2s", program("memory_waits"), "ping_pong"});
  compare(outcome, {});
}

// Each of the two may have the lock first, however long the other one works. How much of a run is the same as
// of the one before depends on when it is interrupted.
TEST_CASE("a thread that works for long is not taken for one that waits", "[memory_waits]") {
  expect({"memory_waits", "work"}, {.traces = 2}, kPatient, dependingOnTime());
}

// It has a second of work to do, and nobody is there to run meanwhile. That takes long, so one build has to
// do.
TEST_CASE("a thread that works for very long is given as much time again", "[memory_waits]") {
  compare(once("much_work", {"--step-timeout", "20s"}), {.traces = 1});
}

TEST_CASE("the search of the papers waits for threads that work, too", "[memory_waits]") {
  expectOf("dpor", {"memory_waits", "work"}, {.traces = 2});
}

}  // namespace
}  // namespace mcmini
