#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// The primitives in plugins/, compared with the same built on a mutex and condition variables.

namespace mcmini {
namespace {

using Catch::Contains;

/// What a program has with the plugin, and what without.
struct Both {
  Expected plugin;
  Expected onCond;
};

/// The plugin and its program have the same name.
void expectBoth(const std::string& name, const std::vector<std::string>& arguments, const Both& both) {
  CHECK(both.plugin.traces <= both.onCond.traces);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), name);
  expect(words, both.plugin, {"--plugin", name});
  words.front() = program(name + "_on_cond");
  compare(check(words), both.onCond);
}

// On condition variables it takes half a minute.
TEST_CASE("readers and two writers take fewer runs than in the paper", "[ready][paper]") {
  CHECK(expect({"two_writers"}, {.traces = 90}, {"--plugin", "two_writers"}).count("traces") < 130);
  expectBoth("two_writers", {"1"}, {{.traces = 6}, {.traces = 60}});
}

TEST_CASE("readers and two writers on condition variables, too", "[ready][.campaign][campaign]") {
  Outcome outcome = check({program("two_writers_on_cond")});
  compare(outcome, {.traces = 63'000});
  CHECK(outcome.count("traces") < 98'480);
}

TEST_CASE("locks that prefer readers or writers", "[ready]") {
  expectBoth("readers_first", {}, {{.traces = 8}, {.traces = 70}});
  expectBoth("readers_first", {"2", "2"}, {{.traces = 30}, {.traces = 3'136}});
  expectBoth("writers_first", {}, {{.traces = 8}, {.traces = 66}});
  expectBoth("writers_first", {"2", "2"}, {{.traces = 30}, {.traces = 3'484}});
}

TEST_CASE("the order in which a latch is counted down does not matter", "[ready]") {
  expectBoth("latch", {"4"}, {{}, {.traces = 120}});
  expectBoth("latch", {"3", "1"}, {deadlockIn(1), deadlockIn(24)});
}

TEST_CASE("those who wait for an event do not depend on each other", "[ready]") {
  expectBoth("event", {"3"}, {{}, {.traces = 96}});
  expectBoth("event", {"2", "never"}, {deadlockIn(1), deadlockIn(2)});
}

TEST_CASE("a second post of a binary semaphore is a misuse", "[ready]") {
  expectBoth("binary_semaphore", {"3"}, {{}, {.traces = 64}});
  expectBoth("binary_semaphore", {"2", "hasty"}, {{"misuse", 2, 2}, {"assertion", 1, 6}});
  Outcome outcome = check({"--plugin", "binary_semaphore", program("binary_semaphore"), "2", "hasty"});
  CHECK_THAT(outcome.out, Contains("main calls binary_semaphore_post(ping), which holds a token already"));
}

TEST_CASE("what a channel hands on comes from the model", "[ready]") {
  expectBoth("channel", {"3"}, {{.traces = 6}, {.traces = 384}});
  expectBoth("channel", {"2", "3"}, {deadlockIn(2), deadlockIn(16)});
}

TEST_CASE("a ready plugin is named without its place, and loaded only then", "[ready]") {
  Outcome without = check({program("latch")});
  INFO(without.everything());
  CHECK(without.exitCode == 2);
  CHECK_THAT(without.err, Contains("'latch.init'") && Contains("--plugin latch"));
  CHECK_THAT(check({"plugin", "list", "latch"}).out, Contains("latch.count_down, latch.init, latch.wait\n"));
  ScratchDirectory directory;
  (void)directory.write("latch", "a file of the user's that has the same name");
  Settings settings;
  settings.directory = directory.path();
  compare(check({"--plugin", "latch", program("latch")}, settings), {});
  Outcome unknown = check({"--plugin", "lach", program("latch")});
  CHECK(unknown.exitCode == 2);
  CHECK_THAT(unknown.err, Contains("lach: there is no such plugin file"));
}

}  // namespace
}  // namespace mcmini
