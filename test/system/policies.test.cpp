#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include "test/support/expected.hpp"

// What the choice of a wakeup policy changes, and what the report says of it.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

const fs::path kRoot = MCMINI_SOURCE_DIR;

/// The names of the files with that extension, without it, in order.
std::vector<std::string> stemsIn(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> stems;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) stems.push_back(entry.path().stem().string());
  std::ranges::sort(stems);
  return stems;
}

/// A line for each program of examples/policies, a column for each policy. No two columns are the same.
std::string tableOfVerdicts() {
  std::vector<std::string> policies = stemsIn(kRoot / "policies", ".cpp");
  std::string head = "| program |";
  std::string rule = "|---|";
  for (const std::string& policy : policies) {
    head += " " + policy + " |";
    rule += "---|";
  }
  std::string table = head + "\n" + rule + "\n";
  std::map<std::string, std::string> columns;
  for (const std::string& name : stemsIn(kRoot / "examples/policies", ".c")) {
    table += "| [" + name + "](../examples/policies/" + name + ".c) |";
    for (const std::string& policy : policies) {
      Outcome outcome = check({"--policy", policy, program(name)});
      INFO(outcome.everything());
      CHECK(outcome["complete"] == "yes");
      CHECK(outcome["blocked"] == "0");
      table += " " + outcome["verdict"] + " |";
      columns[policy] += outcome["verdict"] + " ";
    }
    table += "\n";
  }
  std::set<std::string> distinct;
  for (const auto& [policy, column] : columns) distinct.insert(column);
  CHECK(distinct.size() == policies.size());
  return table;
}

/// The same table, as far as the file has it between its marks.
struct Section {
  fs::path file = kRoot / "policies/README.md";
  std::string begin = "<!-- verdicts: written by test/system/policies.test.cpp -->\n";
  std::string end = "<!-- end of verdicts -->\n";
  std::string whole;

  Section() {
    std::ifstream in(file, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
    REQUIRE_THAT(whole, Contains(begin) && Contains(end));
  }
  std::size_t from() const { return whole.find(begin) + begin.size(); }
  std::string text() const { return whole.substr(from(), whole.find(end) - from()); }
  void write(const std::string& text) const {
    std::ofstream(file, std::ios::binary) << whole.substr(0, from()) + text + whole.substr(whole.find(end));
  }
};

TEST_CASE("each policy has a program that tells it from the others, as policies/README.md says",
          "[policies]") {
  Section section;
  std::string table = tableOfVerdicts();
  if (const char* update = std::getenv("MCMINI_UPDATE"); update != nullptr && *update == '1')
    return section.write(table);
  INFO("MCMINI_UPDATE=1 in the environment writes the table into " << section.file);
  CHECK(table == section.text());
}

// The counts are those of brute force in test/plugins/counts.test.cpp, as far as that goes.
TEST_CASE("each policy has its own number of behaviours", "[policies]") {
  auto expectUnder = [](const std::string& policy, const std::string& name, const Expected& expected) {
    expect({name}, expected, {"--policy", policy});
  };
  expectUnder("arbitrary", "bakery", {"assertion", 1, 12});
  expectUnder("fifo", "bakery", {.traces = 40});
  expectUnder("lifo", "bakery", {"assertion", 1, 100});
  expectUnder("spurious", "bakery", {"assertion", 1, 112});
  expectUnder("arbitrary", "card_pile", {"assertion", 1, 12});
  expectUnder("fifo", "card_pile", {"assertion", 1, 20});
  expectUnder("lifo", "card_pile", {.traces = 200});
  expectUnder("spurious", "card_pile", {"assertion", 1, 112});
  expectUnder("arbitrary", "if_instead_of_while", {.traces = 2});
  expectUnder("fifo", "if_instead_of_while", {.traces = 3});
  expectUnder("lifo", "if_instead_of_while", {.traces = 6});
  expectUnder("spurious", "if_instead_of_while", {"assertion", 1, 3});
  expectUnder("arbitrary", "narrow_bench", {"assertion", 1, 120});
  expectUnder("fifo", "narrow_bench", {.traces = 336});
  // Those that take long, of one build.
  std::string narrowBench = program("narrow_bench", "gcc-O2");
  compare(check({"--policy", "lifo", narrowBench}), {.traces = 4'704});
  compare(check({"--policy", "spurious", narrowBench}), {"assertion", 1, 2'550});
}

TEST_CASE("`if` instead of `while` is found by a spurious wakeup, and the report says what to do",
          "[policies]") {
  for (const auto& [how, traces] :
       {std::pair(std::vector<std::string>{"--policy", "spurious"}, 3U),
        std::pair(std::vector<std::string>{"--spurious-wakeups", "1"}, 3U),
        std::pair(std::vector<std::string>{"--policy", "fifo", "--spurious-wakeups", "1"}, 6U)}) {
    Outcome outcome = expect({"if_instead_of_while"}, {"assertion", 1, traces}, how);
    CHECK_THAT(outcome.out, Contains("woken spuriously, nobody had signalled"));
    CHECK_THAT(outcome.out, Contains("  Tip     a wait may end though nobody has signalled: call "
                                     "pthread_cond_wait in a loop, `while (!condition)`, not after an "
                                     "`if`\n"));
  }
}

TEST_CASE("`while` around the wait makes the same program correct under every policy", "[policies]") {
  for (const auto& [policy, one, two] : {std::tuple("arbitrary", 2U, 12U), std::tuple("fifo", 3U, 30U),
                                         std::tuple("lifo", 6U, 166U), std::tuple("spurious", 3U, 22U)}) {
    expect({"if_instead_of_while", "1", "while"}, {.traces = one}, {"--policy", policy});
    expect({"if_instead_of_while", "2", "while"}, {.traces = two}, {"--policy", policy});
  }
}

TEST_CASE("a program that never wakes up spuriously is given no tip", "[policies]") {
  Outcome outcome = expect({"bakery"}, {"assertion", 1, 12});
  CHECK_THAT(outcome.out, !Contains("  Tip "));
}

}  // namespace
}  // namespace mcmini
