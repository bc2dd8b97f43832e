#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

/// What a program has, whatever compiled it.
struct Expected {
  std::string verdict = "ok";
  int bugs = 0;
  std::uint64_t traces = 1;
};

void expect(const std::vector<std::string>& command, const Expected& expected) {
  for (const std::string& variant : variants()) {
    std::vector<std::string> words = command;
    words.front() = program(command.front(), variant);
    Outcome outcome = check(words);
    INFO(variant << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == expected.verdict);
    CHECK(outcome["bugs"] == std::to_string(expected.bugs));
    CHECK(outcome["traces"] == std::to_string(expected.traces));
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
}

/// The other searches find the same, in at least as many runs.
void expectOfOthers(const std::vector<std::string>& command, const Expected& expected) {
  for (const std::string search : {"dpor", "naive"}) {
    std::vector<std::string> words = {"--search", search};
    words.insert(words.end(), command.begin(), command.end());
    words[2] = program(command.front());
    Outcome outcome = check(words);
    INFO(search << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == expected.verdict);
    CHECK(outcome["complete"] == "yes");
    CHECK(outcome.count("traces") >= expected.traces);
  }
}

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
  expect({"once_ways", "lock"}, {"deadlock", 1, 3});
  expect({"once_ways", "itself"}, {"deadlock", 1, 1});
}

TEST_CASE("std::call_once runs what it is given once, and again after an exception", "[once]") {
  expect({"once_throws", "fine"}, {.traces = 2});
  expect({"once_throws", "throws"}, {.traces = 2});
  expect({"once_throws", "twice"}, {.traces = 3});
}

TEST_CASE("the other searches find the same with routines that are run once", "[once]") {
  expectOfOthers({"once_ways", "same", "2"}, {.traces = 2});
  expectOfOthers({"once_ways", "leaves"}, {.traces = 2});
  expectOfOthers({"once_ways", "lock"}, {"deadlock", 1, 3});
  expectOfOthers({"once_throws", "throws"}, {.traces = 2});
}

}  // namespace
}  // namespace mcmini
