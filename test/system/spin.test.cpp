#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

using Catch::Contains;

/// What a program has, whatever compiled it.
struct Expected {
  std::string verdict = "ok";
  int bugs = 0;
  std::uint64_t traces = 1;
};
const auto kDeadlock = [](std::uint64_t traces) { return Expected{"deadlock", 1, traces}; };

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

void expectMisuse(const std::string& name, const std::string& kind, const std::string& sentence) {
  Outcome outcome = check({program(name), kind});
  INFO(outcome.everything());
  CHECK(outcome["verdict"] == "misuse");
  CHECK(outcome["bugs"] == "1");
  CHECK_THAT(outcome.out, Contains("MISUSE    " + sentence));
}

TEST_CASE("n threads at a spinlock have n! behaviours", "[spin]") {
  for (std::uint64_t n = 2, traces = 2; n <= 4; traces *= ++n)
    expect({"spin_ways", "lock", std::to_string(n)}, {.traces = traces});
}

TEST_CASE("who tries a spinlock may be too early", "[spin]") {
  expect({"spin_ways", "try"}, {.traces = 4});
  expectOfOthers({"spin_ways", "try"}, {.traces = 4});
}

TEST_CASE("a thread that locks a spinlock twice waits for itself", "[spin]") {
  expect({"spin_ways", "twice"}, kDeadlock(1));
  expectOfOthers({"spin_ways", "twice"}, kDeadlock(1));
  CHECK_THAT(check({program("spin_ways"), "twice"}).out, Contains("Cycle: take_twice#1 -> take_twice#1"));
}

TEST_CASE("what must not be done to a spinlock is told", "[spin]") {
  expectMisuse("spin_misuse", "uninitialized",
               "main calls pthread_spin_lock on lock, which was never initialized");
  expectMisuse("spin_misuse", "of_another", "unlock#1 unlocks lock, which main holds");
  expectMisuse("spin_misuse", "unlocked", "main unlocks lock, which is not locked");
  expectMisuse("spin_misuse", "destroyed", "main calls pthread_spin_lock on lock, which has been destroyed");
  expectMisuse("spin_misuse", "while_held", "main destroys lock while it holds it");
}

}  // namespace
}  // namespace mcmini
