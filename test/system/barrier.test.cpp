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

TEST_CASE("threads that only meet have one behaviour, however often they do", "[barrier]") {
  for (const char* n : {"1", "2", "3", "5"}) expect({"barrier_ways", "meet", n, "1"}, {});
  expect({"barrier_ways", "meet", "3", "4"}, {});
}

TEST_CASE("what was written before a barrier is there behind it", "[barrier]") {
  expect({"barrier_ways", "phases", "4"}, {});
}

TEST_CASE("threads at a barrier that counts wrongly wait for ever", "[barrier]") {
  expect({"barrier_ways", "pairs"}, kDeadlock(24));
  expect({"barrier_ways", "missing"}, kDeadlock(1));
  CHECK_THAT(check({program("barrier_ways"), "missing"}).out,
             Contains("meet#1  waits in pthread_barrier_wait(barrier)"));
}

TEST_CASE("a barrier can be destroyed as soon as one thread has left it", "[barrier]") {
  expect({"barrier_ways", "last"}, {});
}

TEST_CASE("the other searches find the same with barriers", "[barrier]") {
  expectOfOthers({"barrier_ways", "meet", "2", "1"}, {});
  expectOfOthers({"barrier_ways", "pairs"}, kDeadlock(24));
  expectOfOthers({"barrier_ways", "missing"}, kDeadlock(1));
}

TEST_CASE("what must not be done to a barrier is told", "[barrier]") {
  expectMisuse("barrier_misuse", "uninitialized",
               "main calls pthread_barrier_wait on barrier, which was never initialized");
  expectMisuse("barrier_misuse", "destroyed",
               "main calls pthread_barrier_wait on barrier, which has been destroyed");
}

// It is destroyed before the thread comes, or while it waits.
TEST_CASE("a barrier that is destroyed too early is told of in both orders", "[barrier]") {
  expect({"barrier_misuse", "while_waiting"}, {"misuse", 2, 2});
  Outcome outcome = check({program("barrier_misuse"), "while_waiting"});
  CHECK_THAT(outcome.out,
             Contains("main destroys barrier while wait#1 waits there") &&
                 Contains("wait#1 calls pthread_barrier_wait on barrier, which has been destroyed"));
}

}  // namespace
}  // namespace mcmini
