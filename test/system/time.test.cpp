#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// Nothing takes real time, and what a thread sees of the clock does not depend on the schedule.

namespace mcmini {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a program that sleeps for a thousand seconds ends at once", "[time]") {
  CHECK(expect({"sleeps", "long"}, {}).elapsed < 20s);
  CHECK(expect({"sleeps_std", "sleep"}, {}).elapsed < 20s);
}

TEST_CASE("a sleep until a certain time lasts until then", "[time]") {
  expect({"sleeps", "until"}, {});
}

TEST_CASE("a sleep for ever comes to its end", "[time]") {
  expect({"sleeps_std", "for_ever"}, {});
}

TEST_CASE("wrong calls to sleep get the errors that they get without the checker", "[time]") {
  expect({"sleeps", "wrong_calls"}, {});
}

TEST_CASE("all clocks agree and go on", "[time]") {
  expect({"sleeps", "clocks"}, {});
}

TEST_CASE("loops that wait for the clock come to their end", "[time]") {
  expect({"sleeps", "loops"}, {});
}

// Three sections under one lock: 3! orders.
TEST_CASE("what a thread wrote down is not in the future of whoever reads it under the same lock", "[time]") {
  expect({"sleeps", "handed_on"}, {.traces = 6});
}

TEST_CASE("nor in the future of whoever takes the token that was posted then", "[time]") {
  expect({"sleeps", "posted"}, {});
  expect({"sleeps", "posted"}, {}, {"--policy", "fifo"});
  expect({"sleeps", "posted"}, {.traces = 2}, {"--policy", "lifo"});  // it joins before the post, or after it
  expect({"sleeps", "not_needed"}, {});
}

TEST_CASE("a thread begins at the time of its creation", "[time]") {
  expect({"sleeps", "inherited"}, {});
}

// Two sections in either order, however long the threads sleep before.
TEST_CASE("a sleep orders nothing", "[time]") {
  expect({"sleeps", "race"}, {"assertion", 1, 2});
}

// Each thread does as the clock says, on its own; then two sections in either order.
TEST_CASE("a program that does as the clock says repeats itself", "[time]") {
  expect({"sleeps", "depends"}, {.traces = 2});
}

TEST_CASE("a wait that has timed out has lasted as long as it should", "[time]") {
  expect({"sleeps_std", "condition"}, {});
  expect({"sleeps_std", "future"}, {});
}

// For ever: the cancellation comes before the first sleep, or later. Twice: before the first, before the
// second, before the thread's end, or after it.
TEST_CASE("a thread that sleeps can be cancelled", "[time]") {
  expect({"canceled_sleep", "for_ever"}, {.traces = 2});
  expect({"canceled_sleep", "twice"}, {.traces = 4});
}

}  // namespace
}  // namespace mcmini
