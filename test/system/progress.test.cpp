#include <catch2/catch.hpp>
#include <regex>

#include "test/support/checker.hpp"
#include "test/support/none.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

/// What a terminal gets when mcmini runs on it.
std::string onTerminal(const std::string& words) {
  ScratchDirectory directory;
  ShellOutcome outcome = shell(directory.path(), "TERM=xterm script -qec '" MCMINI_BINARY_DIR "/bin/mcmini " +
                                                     words + "' /dev/null || true");
  INFO(outcome.out);
  CHECK(outcome.exitCode == 0);
  return outcome.out;
}

// 10! behaviours: it does not end by itself.
TEST_CASE("progress is shown on a terminal, and gone before the report", "[progress]") {
  std::string text = onTerminal("--time 1300ms " + program("counter") + " 10");
  INFO(text);
  static const std::regex line(
      "\r[0-9,]+ runs, [0-9.,]+/s, no bug, 0:0[1-9]; <?[0-9]+% of [0-9.,a-z ]+, [0-9.]+ [a-z]+ left "
      "\\((rough|steady|a guess)\\)\x1b\\[K");
  CHECK(std::regex_search(text, line));
  CHECK_THAT(text, Contains("\r\x1b[KNo bug in "));
}

/// Of a check that takes some milliseconds. One that took longer, since the machine stood still, is not one.
std::string afterShortCheck() {
  std::string text;
  for (int i = 0; i < 10 && !std::regex_search(text, std::regex(" time=0\\.[0-8]")); ++i)
    text = onTerminal(program("counter") + " 3");
  return text;
}

TEST_CASE("a short check and a quiet one show no progress on a terminal", "[progress]") {
  CHECK_THAT(afterShortCheck(), !Contains("\x1b") && Contains("No bug in 6 runs"));
  std::string quiet = onTerminal("-q --time 1200ms " + program("counter") + " 10");
  CHECK_THAT(quiet, !Contains("\x1b") && Catch::StartsWith("RESULT "));
}

TEST_CASE("without a terminal a check of a second has no progress", "[progress]") {
  Outcome outcome = check({"--time", "1200ms", program("counter"), "10"}, dependingOnTime());
  CHECK(outcome.err == kNone);
  CHECK_THAT(outcome.out, Contains(", stopped by --time after ") && Contains("% (rough).\nNext: "));
}

}  // namespace
}  // namespace mcmini
