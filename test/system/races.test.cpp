#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

#include "test/support/expected.hpp"
#include "test/support/json_schema.hpp"
#include "test/support/none.hpp"
#include "test/support/stored.hpp"

// Data races of programs that were built by mcmini-cc: exactly those that there are, whatever compiled them.

namespace mcmini {
namespace {

using Catch::Contains;
using nlohmann::json;

constexpr int kUsage = 2;

/// Traces are those of the program in which each access to the racy variable is an operation.
Expected raceIn(std::uint64_t traces, int bugs = 1) {
  return {"race", bugs, traces};
}

Outcome expectWay(const std::string& way, const Expected& expected) {
  INFO(way);
  return expect({"memory/race_ways", way}, expected);
}

Outcome expectStd(const std::string& way, const Expected& expected) {
  INFO(way);
  return expect({"memory/race_ways_std", way}, expected);
}

// Main comes before the other one has it, while it has it, or after that.
TEST_CASE("who is refused has learnt nothing of what others did before", "[races]") {
  for (const char* what : {"mutex", "rwlock", "spin", "semaphore", "value"}) {
    INFO(what);
    expect({"memory/refused", what}, {"race", 1, 3, "bounded"}, {"--no-promote"});
  }
}

TEST_CASE("what is ordered is no race", "[races]") {
  for (const char* way : {"semaphore", "barrier", "join", "both_read", "letters", "copy_elsewhere",
                          "free_after_use", "reused_block"})
    expectWay(way, {});
  for (const char* way : {"mutex", "condition", "once"}) expectWay(way, {"ok", 0, 2});
  expectStd("async", {});
  for (const char* way : {"growing_locked", "scoped", "waited", "once"}) expectStd(way, {"ok", 0, 2});
}

TEST_CASE("atomic variables and static ones order what they are there for", "[races]") {
  expectStd("static_local", {"ok", 0, 2});
  // The flag is read before or after it is set; in double-checked locking by one of them within the lock.
  expectStd("released", {"ok", 0, 2});
  for (const std::string& variant : variants("memory/race_ways_std")) {
    CHECK(check({program("memory/race_ways_std", variant), "double_checked"})["verdict"] == "ok");
    Outcome relaxed = check({program("memory/race_ways_std", variant), "relaxed"});
    CHECK(relaxed["verdict"] == "race");
    CHECK_THAT(relaxed.out, Contains("use shared at once"));
  }
}

TEST_CASE("what nothing orders is a race", "[races]") {
  // Two accesses in either order.
  for (const char* way : {"plain", "read", "early_post", "reader_writes", "local", "at_exit"})
    expectWay(way, raceIn(2));
  expectWay("half_locked", raceIn(3));  // the write before, between and after a read and a write
  expectWay("two_mutexes", raceIn(4));  // a read and a write each: both, and two lost updates
  expectStd("async_early", raceIn(2));
  expectStd("method", raceIn(4));
}

TEST_CASE("bytes that are used at once are found in whatever uses them", "[races]") {
  for (const char* way : {"struct", "memcpy"}) expectWay(way, raceIn(2));
  // gcc tells of the write to a bit-field only, clang of the read before it as well.
  for (const std::string& variant : variants("memory/race_ways")) {
    Outcome outcome = check({program("memory/race_ways", variant), "bits"});
    CHECK(outcome["verdict"] == "race");
    CHECK(outcome["bugs"] == "1");
  }
}

TEST_CASE("memory that is freed while another thread uses it is a race", "[races]") {
  Outcome freed = expectWay("use_after_free", raceIn(2));
  CHECK_THAT(freed.out, Contains("frees heap(race_ways.c:"));
  CHECK_THAT(freed.out, Contains("used after it was freed"));
  Outcome outcome = check({program("memory/race_ways_std"), "deleted"});
  CHECK_THAT(outcome.out, Contains("frees heap(race_ways_std.cpp:"));
}

TEST_CASE("a vector that grows in two threads is racy, in a line of the program", "[races]") {
  Outcome outcome = check({"--no-promote", program("memory/race_ways_std", "gcc-O2"), "growing"});
  CHECK(outcome["verdict"] == "race");
  CHECK_THAT(outcome.out, Contains("push_back"));
}

TEST_CASE("double-checked locking is a race without an atomic flag", "[races]") {
  Outcome outcome = expectWay("double_checked", raceIn(4));
  CHECK_THAT(outcome.out, Contains("use ready at once"));
  CHECK_THAT(outcome.out, Contains("no lock in common"));
}

TEST_CASE("what comes of a race is found", "[races]") {
  // Reading, writing; two of each: three lines race with each other, and the update gets lost.
  Outcome outcome = expectWay("lost_update", raceIn(4, 3));
  CHECK_THAT(outcome.out, Contains("shared == 2"));
  CHECK_THAT(outcome.out, Contains("reads shared"));
}

TEST_CASE("the example of a race has two bugs", "[races]") {
  expect({"memory/unlocked_balance"}, raceIn(4, 2));
}

TEST_CASE("what comes of a race is not followed if the user does not want it", "[races]") {
  Outcome outcome = expect({"memory/race_ways", "lost_update"}, {"race", 2, 1, "bounded"}, {"--no-promote"});
  CHECK_THAT(outcome.out, Contains("What comes of them was not followed (--no-promote)"));
}

TEST_CASE("the search may stop at the first race", "[races]") {
  Outcome outcome = check({"--first", program("memory/race_ways"), "lost_update"});
  CHECK(outcome["bugs"] == "1");
  CHECK_THAT(outcome.out, Contains("stopped at the first bug"));
}

TEST_CASE("all searches find the same races", "[races]") {
  expectOfOthers({"memory/race_ways", "two_mutexes"}, raceIn(4));
  expectOfOthers({"memory/race_ways", "mutex"}, {"ok", 0, 2});
}

TEST_CASE("a race looks as it has been looked at", "[races][stored]") {
  for (const char* way : {"two_mutexes", "use_after_free", "lost_update"})
    stored(std::string("reports/race_") + way, check({program("memory/race_ways"), way}).out);
}

TEST_CASE("races of which the user does not want to hear are not reported", "[races]") {
  ScratchDirectory directory;
  std::string racy = program("memory/race_ways");
  for (const char* pattern :
       {"shared", "sh*", "set", "race_ways.c:*", "*/race_ways.c:*", "memory/race_ways.c:*"}) {
    auto file = directory.write("suppressed", std::string("# meant\n\n  ") + pattern + "  # so be it\n");
    INFO(pattern);
    Outcome outcome = check({"--suppress", file.string(), racy, "plain"});
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["complete"] == "bounded");
  }
  auto other = directory.write("others", "other\nother.c:3\nrace_ways.c:1\nways.c:*\n");
  CHECK(check({"--suppress", other.string(), racy, "plain"})["verdict"] == "race");
}

TEST_CASE("races of which the program says that they are meant are not reported", "[races]") {
  Outcome outcome = expectWay("benign", {.complete = "bounded"});
  CHECK_THAT(outcome.out, Contains("data races that are meant to be"));
  expectWay("other_benign", raceIn(2));
}

TEST_CASE("a file of suppressions that is wrong is refused with its line", "[races]") {
  ScratchDirectory directory;
  for (const char* pattern : {"race.c:", "race.c:x", ":12", "two words"}) {
    auto file = directory.write("bad", std::string("fine\n") + pattern + "\n");
    Outcome outcome = check({"--suppress", file.string(), program("memory/race_ways"), "plain"});
    CHECK(outcome.exitCode == kUsage);
    CHECK_THAT(outcome.err, Contains("bad:2: '" + std::string(pattern) + "' is no pattern"));
  }
  Outcome outcome = check({"--suppress", "nosuch", program("memory/race_ways"), "plain"});
  CHECK(outcome.exitCode == kUsage);
  CHECK_THAT(outcome.err, Contains("nosuch cannot be read"));
}

TEST_CASE("a saved race, and what came of it, are run into again", "[races]") {
  ScratchDirectory directory;
  Settings settings;
  settings.directory = directory.path();
  settings.writes = true;
  settings.repeats = false;
  Outcome found = check({program("memory/race_ways"), "lost_update"}, settings);
  REQUIRE(found["bugs"] == "3");
  Outcome race = check({"replay", "1"}, settings);
  CHECK(race.exitCode == 1);
  CHECK(found.out.starts_with(race.out.substr(0, race.out.find("Schedule"))));
  Outcome assertion = check({"replay", "3"}, settings);
  CHECK(assertion.exitCode == 1);
  CHECK_THAT(assertion.out, Contains("ASSERTION main: shared == 2"));
}

TEST_CASE("machines are told of both accesses", "[races]") {
  Outcome outcome = check({"--json", "-", program("memory/race_ways"), "half_locked"});
  json report = json::parse(outcome.out);
  std::ifstream file(std::string(MCMINI_SOURCE_DIR) + "/core/report/mcmini-report.schema.json");
  CHECK(violations(json::parse(file), report) == kNone);
  const json& race = report["findings"][0];
  CHECK(race["kind"] == "race");
  REQUIRE(race["accesses"].size() == 2);
  CHECK(race["accesses"][0]["variable"] == "shared");
  CHECK(race["accesses"][0]["holds"] == kNone);
  CHECK(race["accesses"][1]["holds"][0]["object"] == "m");
  CHECK(race["accesses"][1]["access"] == "writes");
}

}  // namespace
}  // namespace mcmini
