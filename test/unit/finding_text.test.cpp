#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/report/finding_text.hpp"
#include "test/support/exploration.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

constexpr std::uint64_t kM = 'm';
constexpr std::uint64_t kN = 'n';

Finding deadlock() {
  Exploration found = explore(
      parallel({{lock(kM), lock(kN), unlock(kN), unlock(kM)}, {lock(kN), lock(kM), unlock(kM), unlock(kN)}},
               {}, {join(0), join(1)}));
  REQUIRE(found.findings.size() == 1);
  return found.findings.front();
}

std::string textOf(const Finding& finding, const FindingTextSettings& settings = {}) {
  return textOf(finding, Symbolizer(getpid()), settings);
}

TEST_CASE("a report says how many context switches its schedule has", "[finding_text]") {
  Finding finding = deadlock();
  CHECK_THAT(textOf(finding), Contains(" steps \u00b7 2 context switches (1 preemption)\n"));
  FindingTextSettings ascii;
  ascii.style.ascii = true;
  CHECK_THAT(textOf(finding, ascii), Contains(" steps, 2 context switches (1 preemption)\n"));
  finding.switchesWhenFound = 9;
  CHECK_THAT(textOf(finding), Contains("shown with 2 of originally 9 switches (1 preemption)"));
  finding.switchesWhenFound = 2;
  CHECK_THAT(textOf(finding), !Contains("originally"));
}

TEST_CASE("the point of no return is marked and explained", "[finding_text]") {
  Finding finding = deadlock();
  CHECK_THAT(textOf(finding), !Contains("point of no return"));
  finding.noReturn = finding.events.size() - 1;
  CHECK_THAT(textOf(finding),
             Contains(" 6 * ") && Contains("* point of no return: until here a run could still end well"));
}

TEST_CASE("a step may have several marks", "[finding_text]") {
  Finding finding = deadlock();
  finding.noReturn = finding.events.size() - 2;
  CHECK_THAT(textOf(finding), Contains(" 5 ~* "));
}

TEST_CASE("a finding that was saved says how to go on", "[finding_text]") {
  FindingTextSettings settings;
  CHECK_THAT(textOf(deadlock(), settings), !Contains("Replay"));
  settings.saved = SavedAs{3, ".mcmini/003-deadlock-3fa9.yaml"};
  CHECK_THAT(textOf(deadlock(), settings), Contains("\n\n  Saved   .mcmini/003-deadlock-3fa9.yaml\n"
                                                    "  Replay  mcmini replay 3    Debug  mcmini gdb 3\n"));
}

TEST_CASE("what the program printed is behind a bar, unless nobody wants it", "[finding_text]") {
  Finding finding = deadlock();
  finding.rehearsal.output = "hello\n\033[31mred\n";
  CHECK_THAT(textOf(finding),
             Contains("  Output of the program in this run\n    | hello\n    | \\x1b[31mred\n"));
  FindingTextSettings without;
  without.output = false;
  CHECK_THAT(textOf(finding, without), !Contains("hello"));
}

TEST_CASE("of long output the middle is left out", "[finding_text]") {
  std::string text = mcmini::quoted(std::string(5'000, 'a') + "\n" + std::string(5'000, 'z') + "\n", Style{});
  CHECK(text.size() < 4'200);
  CHECK_THAT(text, Catch::StartsWith("    | aaa") && Contains(" characters ...") && Catch::EndsWith("zzz\n"));
}

TEST_CASE("a long assertion and its file do not disturb the report", "[finding_text]") {
  Finding finding = deadlock();
  finding.kind = Finding::Kind::Assertion;
  finding.rehearsal.stop.kind = Stop::Kind::Asserted;
  finding.rehearsal.stop.thread = ThreadId{1};
  finding.rehearsal.stop.text = "strcmp(a, \"x/y at z\") == 0 at /home/me/src/t.c:12 in f";
  finding.rehearsal.output =
      "t: /home/me/src/t.c:12: f: Assertion `strcmp(a, \"x/y at z\") == 0' failed.\nmine\n";
  std::string text = textOf(finding);
  CHECK_THAT(text, Contains("strcmp(a, \"x/y at z\") == 0 at t.c:12 in f"));
  CHECK_THAT(text, Contains("    | mine\n") && !Contains("Assertion `"));
}

}  // namespace
}  // namespace mcmini
