#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"
#include "test/support/stored.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

/// How many columns a text takes up, if none of its characters is a wide one.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// What is wider than asked for, or ends with spaces. The program's own output and the line for scripts are
/// as long as they are, and so is a word.
std::vector<std::string> badLines(const std::string& text, std::size_t width) {
  std::vector<std::string> bad;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    bool isFree = line.starts_with("    | ") || line.starts_with("RESULT ") || line.find(" in ") < 30;
    if (line.ends_with(' ') || (columns(line) > width && !isFree)) bad.push_back(line);
  }
  return bad;
}

/// The report of a command, as it was looked at in terminals of both widths.
void look(const std::string& name, const std::vector<std::string>& command,
          const std::vector<std::string>& options = {}) {
  for (const std::size_t width : {80U, 140U}) {
    std::vector<std::string> words = options;
    words.insert(words.end(), {"--width", std::to_string(width), program(command.front())});
    words.insert(words.end(), command.begin() + 1, command.end());
    std::string report = check(words).out;
    INFO(name << " " << width);
    CHECK(badLines(report, width) == kNone);
    stored("reports/" + name + "_" + std::to_string(width), report);
  }
}

TEST_CASE("a deadlock looks as it has been looked at", "[reports][stored]") {
  look("two_in_a_cycle", {"ab_ba"});
  look("three_in_a_cycle", {"philosophers_all_left", "3"});
  look("of_ten_threads", {"report_ways", "ten_threads"}, {"--first"});
  look("std", {"ab_ba_std"});
  look("heap", {"report_ways", "heap"});
  look("locals", {"locals", "members"});
  look("locals_std", {"locals_std", "condition"});
  look("names", {"report_ways", "names"});
  look("semaphore", {"report_ways", "semaphore"});
  look("lost_wakeup", {"lost_wakeup"});
}

std::string reportOf(const std::string& file, const std::string& way) {
  return check({"--width", "140", file, way}).out;
}

TEST_CASE("what is a local variable has its name, whoever compiled the program", "[reports]") {
  for (const std::string& variant : variants("locals")) {
    INFO(variant);
    const std::string file = program("locals", variant);
    CHECK_THAT(reportOf(file, "members"),
               Contains("holds pairs[1].left (") && Contains("wants pairs[1].right ("));
    CHECK_THAT(reportOf(file, "reused"), Contains("second") && !Contains("0x"));
  }
  for (const std::string& variant : variants("locals_std")) {
    INFO(variant);
    const std::string file = program("locals_std", variant);
    CHECK_THAT(reportOf(file, "accounts"), Contains("wants alice.lock (") && Contains("wants bob.lock ("));
    CHECK_THAT(reportOf(file, "object"), Contains("wants table.forks_[0] ("));
    CHECK_THAT(reportOf(file, "condition"), Contains("pthread_cond_wait(ready, m)"));
  }
}

TEST_CASE("local variables of one name are told apart", "[reports]") {
  for (const std::string& variant : variants("locals")) {
    INFO(variant);
    const std::string file = program("locals", variant);
    CHECK_THAT(reportOf(file, "threads"), Contains("(mine (worker#1))") && Contains("(mine (worker#2))"));
    CHECK_THAT(reportOf(file, "calls"), Contains("(mine#1") && Contains("unlocks lock, which is not locked"));
    CHECK_THAT(reportOf(file, "global"), Contains("holds lock (") && Contains("wants lock (main) ("));
  }
}

TEST_CASE("the README shows a report as it is", "[reports]") {
  std::ifstream file(std::string(MCMINI_SOURCE_DIR) + "/README.md");
  std::string readme(std::istreambuf_iterator<char>(file), {});
  std::string report = masked(check({"--width", "80", program("ab_ba")}).out);
  CHECK_THAT(masked(readme), Contains("$ mcmini ./ab_ba\n" + report.substr(0, report.find("RESULT"))));
}

TEST_CASE("what fails looks as it has been looked at", "[reports][stored]") {
  look("assertion", {"lost_update"});
  look("crash", {"use_after_teardown"});
  look("crash_in_libc", {"crashes", "free_twice"});
  look("output", {"report_ways", "output"});
  look("exit", {"missed_job"});
  look("misuse", {"unlock_of_another"});
  look("long_run", {"report_ways", "long_run"});
  look("spurious", {"if_instead_of_while"}, {"--policy", "spurious"});
}

TEST_CASE("a lock is held since the step that took it, whatever came after", "[reports]") {
  CHECK_THAT(check({program("report_ways"), "recursive"}).out,
             Contains("holds twice (" + marked("report_ways.c", "taken")));
}

TEST_CASE("what never gets on looks as it has been looked at", "[reports][stored]") {
  look("livelock", {"polling", "each_other"});
  look("stuck", {"busy_wait"}, {"--step-timeout", "300ms"});
}

TEST_CASE("with --ascii a report is ASCII, whatever threads are called", "[reports]") {
  std::string report = check({"--ascii", program("report_ways"), "names"}).out;
  CHECK(std::ranges::all_of(report, [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
  CHECK_THAT(report, Contains("gabel-f\\u00fcr-zwei") && Contains("run 2, "));
}

TEST_CASE("there are no colours where there is no terminal", "[reports]") {
  CHECK_THAT(check({program("ab_ba")}).out, !Contains("\033"));
}

TEST_CASE("a terminal gets colours, unless it is not to", "[reports]") {
  auto onTerminal = [](const std::string& options, const std::string& before = "") {
    ScratchDirectory directory;
    std::string mcmini = std::string(MCMINI_BINARY_DIR) + "/bin/mcmini " + options + " " + program("ab_ba");
    return shell(directory.path(), before + "TERM=xterm script -qec '" + mcmini + "' /dev/null").out;
  };
  if (shell(".", "command -v script").exitCode != 0) return;
  CHECK_THAT(onTerminal(""), Contains("\033[1;31mDEADLOCK"));
  CHECK_THAT(onTerminal("--no-color"), Contains("DEADLOCK") && !Contains("\033["));
  CHECK_THAT(onTerminal("", "NO_COLOR=1 "), Contains("DEADLOCK") && !Contains("\033["));
}

TEST_CASE("the width is that of COLUMNS, or 80", "[reports]") {
  Settings narrow;
  narrow.environment["COLUMNS"] = "80";
  std::string of80 = check({"--width", "80", program("ab_ba")}).out;
  CHECK(masked(check({program("ab_ba")}, narrow).out) == masked(of80));
  narrow.environment["COLUMNS"] = "nonsense";
  CHECK(masked(check({program("ab_ba")}, narrow).out) == masked(of80));
}

TEST_CASE("whose output is shown is said by --output", "[reports]") {
  auto outputOf = [](const std::vector<std::string>& options) {
    std::vector<std::string> words = options;
    words.insert(words.end(), {program("report_ways"), "each_run"});
    return check(words).out;
  };
  const std::string failing = "  Output of the program in this run\n    | number 1\n    | at last\n";
  std::string all = outputOf({"--output", "all"});
  CHECK_THAT(all, Contains("  Output of the program in run 1\n    | at last\n    | number 1\n\n"));
  CHECK_THAT(all, Contains(failing) && !Contains("in run 2"));
  for (const std::string& one : {outputOf({}), outputOf({"--output", "failing"})})
    CHECK_THAT(one, Contains(failing) && !Contains("in run 1"));
  CHECK_THAT(outputOf({"--output", "none"}), Contains("DEADLOCK") && !Contains("at last"));
  CHECK_THAT(outputOf({"-q", "--output", "all"}), !Contains("at last"));
  CHECK(check({"--output", "some", program("ab_ba")}).exitCode == 2);
}

}  // namespace
}  // namespace mcmini
