#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("who is the first to need a static variable initializes it", "[statics]") {
  Outcome outcome = expect({"statics", "two"}, {"assertion", 1, 2});
  CHECK_THAT(outcome.out, Contains("comes to first::who") && Contains("initializes it"));
}

TEST_CASE("those who find a static variable initialized do so in any order", "[statics]") {
  expect({"statics", "three"}, {.traces = 3});
  expect({"statics", "often"}, {.traces = 2});
}

TEST_CASE("the next thread initializes a static variable if one could not", "[statics]") {
  expect({"statics", "throws"}, {.traces = 2});
}

TEST_CASE("whoever waits for a static variable to be initialized may do so for ever", "[statics]") {
  expect({"statics", "waits"}, {"deadlock", 2, 3});
  expect({"statics", "itself"}, deadlockIn(1));
}

TEST_CASE("a static variable that is initialized is so in a forked process", "[statics]") {
  expect({"statics", "child"}, {.traces = 1});
}

TEST_CASE("the other searches find the same with static variables", "[statics]") {
  expectOfOthers({"statics", "two"}, {"assertion", 1, 2});
  expectOfOthers({"statics", "waits"}, {"deadlock", 2, 3});
}

}  // namespace
}  // namespace mcmini
