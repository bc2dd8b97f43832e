#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// The primitives in plugins/, compared with the same built on a mutex and condition variables.

namespace mcmini {
namespace {

using Catch::Contains;

Outcome expect(const std::vector<std::string>& words, const std::string& verdict, std::uint64_t traces) {
  Outcome outcome = check(words);
  INFO(outcome.everything());
  CHECK(outcome["verdict"] == verdict);
  CHECK(outcome["complete"] == "yes");
  CHECK(outcome["blocked"] == "0");
  CHECK(outcome.count("traces") == traces);
  return outcome;
}

struct Expected {
  std::string verdict;
  std::string verdictOnCond;
  std::uint64_t traces;
  std::uint64_t tracesOnCond;
};

/// The plugin and its program have the same name.
void compare(const std::string& name, const std::vector<std::string>& arguments, const Expected& expected) {
  CHECK(expected.traces <= expected.tracesOnCond);
  for (const std::string& variant : variants()) {
    std::vector<std::string> words = {"--plugin", name, program(name, variant)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    expect(words, expected.verdict, expected.traces);
  }
  std::vector<std::string> words = {program(name + "_on_cond")};
  words.insert(words.end(), arguments.begin(), arguments.end());
  expect(words, expected.verdictOnCond, expected.tracesOnCond);
}

// On condition variables it takes half a minute.
TEST_CASE("readers and two writers take fewer runs than in the paper", "[ready][paper]") {
  for (const std::string& variant : variants())
    CHECK(expect({"--plugin", "two_writers", program("two_writers", variant)}, "ok", 90).count("traces") <
          130);
  compare("two_writers", {"1"}, {"ok", "ok", 6, 60});
}

TEST_CASE("readers and two writers on condition variables, too", "[ready][.campaign][campaign]") {
  CHECK(expect({program("two_writers_on_cond")}, "ok", 63'000).count("traces") < 98'480);
}

TEST_CASE("locks that prefer readers or writers", "[ready]") {
  compare("readers_first", {}, {"ok", "ok", 8, 70});
  compare("readers_first", {"2", "2"}, {"ok", "ok", 30, 3'136});
  compare("writers_first", {}, {"ok", "ok", 8, 66});
  compare("writers_first", {"2", "2"}, {"ok", "ok", 30, 3'484});
}

TEST_CASE("the order in which a latch is counted down does not matter", "[ready]") {
  compare("latch", {"4"}, {"ok", "ok", 1, 120});
  compare("latch", {"3", "1"}, {"deadlock", "deadlock", 1, 24});
}

TEST_CASE("those who wait for an event do not depend on each other", "[ready]") {
  compare("event", {"3"}, {"ok", "ok", 1, 96});
  compare("event", {"2", "never"}, {"deadlock", "deadlock", 1, 2});
}

TEST_CASE("a second post of a binary semaphore is a misuse", "[ready]") {
  compare("binary_semaphore", {"3"}, {"ok", "ok", 1, 64});
  compare("binary_semaphore", {"2", "hasty"}, {"misuse", "assertion", 2, 6});
  Outcome outcome = check({"--plugin", "binary_semaphore", program("binary_semaphore"), "2", "hasty"});
  CHECK_THAT(outcome.out, Contains("main calls binary_semaphore_post(ping), which holds a token already"));
}

TEST_CASE("what a channel hands on comes from the model", "[ready]") {
  compare("channel", {"3"}, {"ok", "ok", 6, 384});
  compare("channel", {"2", "3"}, {"deadlock", "deadlock", 2, 16});
}

TEST_CASE("a ready plugin is named without its place, and loaded only then", "[ready]") {
  Outcome without = check({program("latch")});
  INFO(without.everything());
  CHECK(without.exitCode == 2);
  CHECK_THAT(without.err, Contains("'latch.init'") && Contains("--plugin latch"));
  CHECK_THAT(check({"plugin", "list", "latch"}).out, Contains("latch.count_down, latch.init, latch.wait\n"));
  Outcome unknown = check({"--plugin", "lach", program("latch")});
  CHECK(unknown.exitCode == 2);
  CHECK_THAT(unknown.err, Contains("lach: there is no such plugin file"));
}

}  // namespace
}  // namespace mcmini
