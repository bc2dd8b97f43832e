#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// Each atomic operation is one operation, however the program is compiled; loops may be turned round by the
// compiler, and their counts are told only where that makes no difference.

namespace mcmini {
namespace {

using Catch::Contains;

void expectVerdict(const std::vector<std::string>& command, const std::string& verdict) {
  for (const std::string& variant : variants("memory/" + command[0])) {
    Outcome outcome = check({program("memory/" + command[0], variant), command[1]});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == verdict);
    CHECK(outcome["complete"] == "yes");
    CHECK(outcome["blocked"] == "0");
  }
}

// Of two threads each may be the first. The other one comes after it, or tries in vain before that.
TEST_CASE("locks made of atomic variables keep a second thread out", "[atomic]") {
  for (const char* way : {"ticket", "exchange", "compare_and_swap"})
    expect({"memory/mutual_exclusion", way}, {.traces = 4});
  expectVerdict({"mutual_exclusion", "peterson"}, "ok");
  expectVerdict({"mutual_exclusion", "dekker"}, "ok");
}

TEST_CASE("locks made of atomic variables in the wrong order let both in", "[atomic]") {
  for (const char* way : {"peterson_wrong", "dekker_wrong", "look_and_set"})
    expectVerdict({"mutual_exclusion", way}, "assertion");
}

// Both have the same number: they are in together, or one is left waiting for a number that is past.
TEST_CASE("a ticket that two threads draw is found to be two bugs", "[atomic]") {
  for (const std::string& variant : variants("memory/mutual_exclusion")) {
    Outcome outcome = check({program("memory/mutual_exclusion", variant), "ticket_wrong"});
    INFO(outcome.everything());
    CHECK(outcome["bugs"] == "2");
    CHECK_THAT(outcome.out, Contains("ASSERTION") && Contains("LIVELOCK"));
  }
}

TEST_CASE("data structures made of atomic variables are right or wrong", "[atomic]") {
  for (const char* way : {"sequence", "stack", "queue"}) expectVerdict({"lock_free", way}, "ok");
  for (const char* way : {"sequence_wrong", "stack_wrong", "queue_wrong"})
    expectVerdict({"lock_free", way}, "assertion");
}

TEST_CASE("programs with atomic variables have the counts of other optimal checkers", "[atomic]") {
  for (const auto& [n, traces] : {std::pair("11", 1U), std::pair("12", 8U), std::pair("13", 64U)})
    expect({"memory/atomic_counts", "indexer", n}, {.traces = traces});
  for (const auto& [n, traces] : {std::pair("3", 12U), std::pair("4", 28U), std::pair("5", 64U)})
    expect({"memory/atomic_counts", "last_zero", n}, {.traces = traces});
  for (const auto& [n, traces] : {std::pair("2", 4U), std::pair("6", 64U)})
    expect({"memory/atomic_counts", "readers", n}, {.traces = traces});
  expect({"memory/atomic_counts", "increments", "4"}, {.traces = 24});
  compare(check({program("memory/atomic_counts", "gcc-O2"), "indexer", "14"}), {.traces = 512});
  compare(check({program("memory/atomic_counts", "gcc-O2"), "last_zero", "8"}), {.traces = 704});
}

TEST_CASE("the other searches find the same", "[atomic]") {
  expectOfOthers({"memory/atomic_ways", "three_swaps"}, {.traces = 2});
  expectOf("dpor", {"memory/mutual_exclusion", "compare_and_swap"}, {.traces = 4});
  expectOf("dpor", {"memory/atomic_counts", "last_zero", "3"}, {.traces = 12});
  expectOf("dpor", {"memory/atomic_counts", "indexer", "12"}, {.traces = 8});
}

TEST_CASE("atomic operations of every size give what they should, however they are written", "[atomic]") {
  expect({"memory/atomic_ways", "each"}, {});
  expect({"memory/atomic_ways", "reuse"}, {});
}

// The one that comes second fails.
TEST_CASE("a compare-and-swap that fails is a load", "[atomic]") {
  expect({"memory/atomic_ways", "two_swaps"}, {.traces = 2});
  expect({"memory/atomic_ways", "three_swaps"}, {.traces = 2});
}

// The store comes before the first look or after it; if there are three looks at most, also after each.
TEST_CASE("a thread that polls an atomic variable waits for another one to change it", "[atomic]") {
  expect({"memory/atomic_ways", "poll"}, {.traces = 2});
  expect({"memory/atomic_ways", "thrice"}, {.traces = 4});
  Outcome never = expect({"memory/atomic_ways", "poll_never"}, {"livelock", 1, 1});
  CHECK_THAT(never.out, Contains("repeats load word"));
  expect({"memory/atomic_ways", "poll_each_other"}, {"livelock", 1, 1});
}

TEST_CASE("what the standard library builds on atomic variables works", "[atomic]") {
  for (const char* way : {"wait", "latch", "barrier"}) expectVerdict({"atomic_std", way}, "ok");
  expect({"memory/atomic_std", "flag"}, {.traces = 4});
  expectVerdict({"atomic_std", "references"}, "ok");
}

TEST_CASE("a wait that nobody ends is a deadlock", "[atomic]") {
  expectVerdict({"atomic_std", "lost"}, "deadlock");
  expectVerdict({"atomic_std", "never"}, "deadlock");
}

// Nothing else of the threads has an order; a constant needs nobody.
TEST_CASE("of a static variable only matters who initializes it", "[atomic]") {
  expect({"memory/atomic_std", "static"}, {});
  expect({"memory/atomic_std", "dynamic_static"}, {.traces = 2});
}

}  // namespace
}  // namespace mcmini
