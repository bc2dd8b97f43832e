#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

TEST_CASE("n callers of a routine that is run once have n! behaviours", "[once]") {
  for (std::uint64_t n = 2, traces = 2; n <= 4; traces *= ++n)
    expect({"once_ways", "same", std::to_string(n)}, {.traces = traces});
}

TEST_CASE("a routine that is run once may call another one", "[once]") {
  expect({"once_ways", "nested"}, {.traces = 2});
}

TEST_CASE("a once control that is initialized anew is a new one", "[once]") {
  expect({"once_ways", "again"}, {});
}

TEST_CASE("a routine that ends its thread is run by the next caller", "[once]") {
  expect({"once_ways", "leaves"}, {.traces = 2});
}

TEST_CASE("a routine that waits for a caller deadlocks", "[once]") {
  expect({"once_ways", "lock"}, deadlockIn(3));
  expect({"once_ways", "itself"}, deadlockIn(1));
}

TEST_CASE("std::call_once runs what it is given once, and again after an exception", "[once]") {
  expect({"once_throws", "fine"}, {.traces = 2});
  expect({"once_throws", "throws"}, {.traces = 2});
  expect({"once_throws", "twice"}, {.traces = 3});
}

TEST_CASE("the other searches find the same with routines that are run once", "[once]") {
  expectOfOthers({"once_ways", "same", "2"}, {.traces = 2});
  expectOfOthers({"once_ways", "leaves"}, {.traces = 2});
  expectOfOthers({"once_ways", "lock"}, deadlockIn(3));
  expectOfOthers({"once_throws", "throws"}, {.traces = 2});
}

}  // namespace
}  // namespace mcmini
