#include <catch2/catch.hpp>

#include "test/support/checker.hpp"
#include "test/support/none.hpp"

// What a limit leaves out is said: complete=yes is claimed only if nothing was left out.

namespace mcmini {
namespace {

using Catch::Contains;
using namespace std::chrono_literals;

struct Expected {
  std::string verdict;
  std::uint64_t traces;
  std::string complete;
  int exitCode;
};

Outcome expect(const std::vector<std::string>& words, const Expected& expected) {
  Outcome outcome = check(words);
  INFO(words[0] << " " << words[1] << "\n" << outcome.everything());
  CHECK(outcome["verdict"] == expected.verdict);
  CHECK(outcome["traces"] == std::to_string(expected.traces));
  CHECK(outcome["complete"] == expected.complete);
  CHECK(outcome.exitCode == expected.exitCode);
  return outcome;
}

// A thread of the counter does: start, lock, unlock, end. Main: three creates, three joins, end.
TEST_CASE("with a bound for each thread the shortened program is searched completely", "[limits]") {
  std::string counter = program("counter");
  expect({"--max-thread-depth", "1", counter, "3"}, {"ok", 1, "bounded", 0});  // one thread starts
  expect({"--max-thread-depth", "2", counter, "3"}, {"ok", 2, "bounded", 0});  // one of two gets the lock
  expect({"--max-thread-depth", "3", counter, "3"}, {"ok", 6, "bounded", 0});  // all three do, in 3! orders
  expect({"--max-thread-depth", "6", counter, "3"}, {"ok", 6, "bounded", 0});  // main does not get to its end
  expect({"--max-thread-depth", "8", counter, "3"}, {"ok", 6, "yes", 0});
}

TEST_CASE("a bound that is just wide enough leaves nothing out", "[limits]") {
  expect({"--max-thread-depth", "7", program("counter"), "3"}, {"ok", 6, "yes", 0});
}

TEST_CASE("waiting for a thread that was cut is no deadlock, a cycle among others is one", "[limits]") {
  std::string abba = program("ab_ba");
  expect({"--max-thread-depth", "2", abba}, {"ok", 1, "bounded", 0});        // each has its first lock
  expect({"--max-thread-depth", "3", abba}, {"deadlock", 3, "bounded", 1});  // one has both, or each waits
}

// Save and spend do 6 operations each, main 5.
TEST_CASE("a bound for the whole run is told when it was met", "[limits]") {
  std::string abba = program("ab_ba");
  expect({"--max-depth", "17", abba}, {"deadlock", 3, "yes", 1});
  Outcome cut = check({"--max-depth", "16", abba});
  CHECK(cut["complete"] == "bounded");
  CHECK_THAT(cut.out, Contains("--max-depth"));
  Outcome tooShort = check({"--max-depth", "5", abba});  // the deadlock takes 6
  CHECK(tooShort["complete"] == "bounded");
  CHECK(tooShort["verdict"] == "ok");
  CHECK(tooShort.exitCode == 0);
}

TEST_CASE("a number of runs that is not enough makes the search incomplete", "[limits]") {
  expect({"--max-traces", "1", program("philosophers"), "4"}, {"ok", 1, "no", 3});
  expect({"--max-traces", "13", program("philosophers"), "4"}, {"ok", 13, "no", 3});
  expect({"--max-traces", "14", program("philosophers"), "4"}, {"ok", 14, "yes", 0});
}

TEST_CASE("a bug outweighs that the search was incomplete", "[limits]") {
  expect({"--max-traces", "2", program("always_crashes")}, {"crash", 2, "no", 1});
}

TEST_CASE("with --first the search stops at the first bug", "[limits]") {
  expect({"--first", program("always_crashes")}, {"crash", 1, "no", 1});
  Outcome outcome = check({"--first", program("philosophers_all_left"), "5"});
  CHECK(outcome["bugs"] == "1");
  CHECK(outcome.exitCode == 1);
  CHECK(outcome.count("traces") < 31);
  CHECK(outcome["complete"] == "no");
}

TEST_CASE("with --first a search without bugs is complete", "[limits]") {
  expect({"--first", program("philosophers"), "3"}, {"ok", 6, "yes", 0});
}

TEST_CASE("a time limit is kept, and told", "[limits]") {
  Outcome outcome = check({"--time", "300ms", program("counter"), "10"});
  CHECK(outcome.exitCode == 3);
  CHECK(outcome["complete"] == "no");
  CHECK(outcome.count("traces") > 0);
  CHECK(outcome.elapsed >= 300ms);
  CHECK(outcome.elapsed < 3s);
  CHECK_THAT(outcome.out, Contains("--time"));
  expect({"--time", "50s", program("counter"), "3"}, {"ok", 6, "yes", 0});
}

TEST_CASE("a time limit is kept even if a run does not end", "[limits]") {
  Outcome outcome = check({"--time", "300ms", "--max-depth", "1000000", program("background")});
  CHECK(outcome["complete"] != "yes");
  CHECK(outcome.elapsed < 5s);
}

TEST_CASE("a time limit ends a wait for a stuck thread", "[limits]") {
  Outcome outcome = check({"--time", "300ms", "--step-timeout", "30s", program("busy_wait")});
  CHECK(outcome.exitCode == 3);
  CHECK(outcome["complete"] == "no");
  CHECK(outcome.elapsed < 5s);
}

TEST_CASE("a hundred and more threads that share nothing are one run", "[limits]") {
  expect({"--search", "optimal", program("independent"), "128"}, {"ok", 1, "yes", 0});
  expect({"--search", "optimal", program("independent"), "200"}, {"ok", 1, "yes", 0});
  expect({"--search", "optimal", program("independent"), "1000"}, {"ok", 1, "yes", 0});
}

TEST_CASE("more threads than mcmini can take are refused in a sentence", "[limits]") {
  Outcome outcome = check({program("independent"), "1100"});
  CHECK(outcome.exitCode == 4);
  CHECK_THAT(outcome.err, Contains("independent") && Contains("threads") && Contains("1024"));
  CHECK(outcome.out == kNone);
}

// Creates, starts, ends, joins and the end of the process: 5 more for one thread, 9 for two.
TEST_CASE("a run may have a hundred thousand operations", "[limits]") {
  Outcome one = expect({"--max-depth", "200000", program("long_run"), "1", "50000"}, {"ok", 1, "yes", 0});
  CHECK(one["transitions"] == "100005");
  Outcome two = expect({"--max-depth", "200000", program("long_run"), "2", "25000"}, {"ok", 1, "yes", 0});
  CHECK(two["transitions"] == "100009");
}

TEST_CASE("a thread that works for ever in the background does not keep main from its end", "[limits]") {
  Outcome outcome = expect({"--max-depth", "100000", program("background")}, {"ok", 1, "bounded", 0});
  CHECK_THAT(outcome.out, Contains("Bounded: the loop at background.c:"));
}

TEST_CASE("a thread that works for ever meets a bound even if the user gave none", "[limits]") {
  Outcome outcome = check({program("background")});
  CHECK(outcome.exitCode == 0);
  CHECK(outcome["complete"] == "bounded");
}

// In the background: start, lock, unlock, lock, unlock and again lock. The section of main comes before,
// between or after the others; if the thread was cut in its third section, main waits, for which nobody is to
// blame.
TEST_CASE("a background thread's operations within the bound are searched completely", "[limits]") {
  expect({"--max-thread-depth", "5", program("background"), "shared"}, {"ok", 3, "bounded", 0});
  expect({"--max-thread-depth", "6", program("background"), "shared"}, {"ok", 4, "bounded", 0});
}

}  // namespace
}  // namespace mcmini
