#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// Nothing takes real time, and what a thread sees of the clock does not depend on the schedule.

namespace mcmini {
namespace {

using namespace std::chrono_literals;

void expect(const std::vector<std::string>& words, const std::string& verdict, std::uint64_t traces) {
  Outcome outcome = check(words);
  INFO(words.back() << "\n" << outcome.everything());
  CHECK(outcome["verdict"] == verdict);
  CHECK(outcome["traces"] == std::to_string(traces));
  CHECK(outcome["blocked"] == "0");
  CHECK(outcome["complete"] == "yes");
  CHECK(outcome.elapsed < 20s);
}

TEST_CASE("a program that sleeps for a thousand seconds ends at once", "[time]") {
  for (const std::string& variant : variants()) {
    expect({program("sleeps", variant), "long"}, "ok", 1);
    expect({program("sleeps_std", variant), "sleep"}, "ok", 1);
  }
}

TEST_CASE("a sleep until a certain time lasts until then", "[time]") {
  expect({program("sleeps"), "until"}, "ok", 1);
}

TEST_CASE("a sleep for ever comes to its end", "[time]") {
  expect({program("sleeps_std"), "for_ever"}, "ok", 1);
}

TEST_CASE("wrong calls to sleep get the errors that they get without the checker", "[time]") {
  expect({program("sleeps"), "wrong_calls"}, "ok", 1);
}

TEST_CASE("all clocks agree and go on", "[time]") {
  expect({program("sleeps"), "clocks"}, "ok", 1);
}

TEST_CASE("loops that wait for the clock come to their end", "[time]") {
  expect({program("sleeps"), "loops"}, "ok", 1);
}

// Three sections under one lock: 3! orders.
TEST_CASE("what a thread wrote down is not in the future of whoever reads it under the same lock", "[time]") {
  expect({program("sleeps"), "handed_on"}, "ok", 6);
}

TEST_CASE("a thread begins at the time of its creation", "[time]") {
  expect({program("sleeps"), "inherited"}, "ok", 1);
}

// Two sections in either order, however long the threads sleep before.
TEST_CASE("a sleep orders nothing", "[time]") {
  for (const std::string& variant : variants()) expect({program("sleeps", variant), "race"}, "assertion", 2);
}

// Each thread does as the clock says, on its own; then two sections in either order.
TEST_CASE("a program that does as the clock says repeats itself", "[time]") {
  expect({program("sleeps"), "depends"}, "ok", 2);
}

TEST_CASE("a wait that has timed out has lasted as long as it should", "[time]") {
  expect({program("sleeps_std"), "condition"}, "ok", 1);
  expect({program("sleeps_std"), "future"}, "ok", 1);
}

// For ever: the cancellation comes before the first sleep, or later. Twice: before the first, before the
// second, before the thread's end, or after it.
TEST_CASE("a thread that sleeps can be cancelled", "[time]") {
  expect({program("canceled_sleep"), "for_ever"}, "ok", 2);
  expect({program("canceled_sleep"), "twice"}, "ok", 4);
}

}  // namespace
}  // namespace mcmini
