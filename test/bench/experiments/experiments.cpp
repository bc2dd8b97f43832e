// Runs the experiments of the field and prints what they take here beside what was published.

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "test/bench/experiments/checker.hpp"
#include "test/bench/experiments/figure.hpp"
#include "test/bench/experiments/growth.hpp"
#include "test/bench/experiments/results.hpp"

namespace mcmini::experiments {
namespace {

constexpr const char* kUsage =
    "experiments [--table NAME]... [--all] [--growth] [--figure FILE] [--slow] [--json] | --list | --help\n"
    "  --table NAME   one table (repeatable)          --all      all tables\n"
    "  --growth       what a run costs, over its length and the number of threads\n"
    "  --figure FILE  time over the number of philosophers, as an SVG\n"
    "  --slow         also the rows that take more than a minute\n"
    "  --json         for machines                    --list     the names of the tables\n";

struct Wishes {
  std::vector<std::string> tables;
  std::string figure;
  bool all = false, growth = false, slow = false, json = false, list = false, help = false;
};

bool isTable(const std::string& name) {
  return std::ranges::any_of(tables(), [&](const Table& table) { return table.name == name; });
}

std::string namesOfTables() {
  std::string names;
  for (const Table& table : tables()) names += (names.empty() ? "" : ", ") + table.name;
  return names;
}

Wishes parse(const std::vector<std::string>& words) {
  Wishes wishes;
  const std::vector<std::pair<std::string, bool*>> switches = {
      {"--all", &wishes.all},   {"--growth", &wishes.growth}, {"--slow", &wishes.slow},
      {"--json", &wishes.json}, {"--list", &wishes.list},     {"--help", &wishes.help}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (auto found = std::ranges::find(switches, word, &std::pair<std::string, bool*>::first);
        found != switches.end()) {
      *found->second = true;
      continue;
    }
    if (word != "--table" && word != "--figure")
      throw Mistake("unknown option '" + word + "'; 'experiments --help' lists all");
    if (i + 1 == words.size())
      throw Mistake(word + " needs " + (word == "--table" ? "the name of a table" : "a file") + " after it");
    const std::string& value = words[++i];
    if (word == "--figure")
      wishes.figure = value;
    else if (isTable(value))
      wishes.tables.push_back(value);
    else
      throw Mistake("there is no table '" + value + "'; there are: " + namesOfTables());
  }
  bool any = wishes.all || wishes.growth || wishes.list || wishes.help || !wishes.tables.empty() ||
             !wishes.figure.empty();
  if (!any) throw Mistake("say what to run: --all, --table NAME, --growth or --figure FILE");
  return wishes;
}

std::string whyNot(const Checker& checker, const Row& row, bool slow) {
  if (!checker.isBuilt(row.program)) return "not built";
  return row.slow && !slow ? "--slow" : "";
}

std::vector<Result> run(const Checker& checker, const Table& table, bool slow) {
  std::vector<Result> results;
  for (const Row& row : table.rows) {
    Result result{row, std::nullopt, whyNot(checker, row, slow)};
    std::fprintf(stderr, "%s: %zu of %zu: %s%s\n", table.name.c_str(), results.size() + 1, table.rows.size(),
                 nameOf(row).c_str(), result.leftOut.empty() ? "" : (" (" + result.leftOut + ")").c_str());
    if (result.leftOut.empty()) result.measured = checker.check(row);
    results.push_back(std::move(result));
  }
  return results;
}

/// Of a kernel, without what its builder added: 6.18 of 6.18.44-custom.
std::string versionOf(const std::string& release) {
  return release.substr(0, release.find_first_not_of("0123456789", release.find('.') + 1));
}

nlohmann::json machine() {
  utsname names{};
  uname(&names);
  return {{"cores", std::thread::hardware_concurrency()},
          {"kernel", std::string(names.sysname) + " " + versionOf(names.release) + " " + names.machine},
          {"compiler", MCMINI_COMPILER}};
}

void print(const std::string& text) {
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void fulfil(const Wishes& wishes) {
  Checker checker;
  nlohmann::json report = {{"machine", machine()}, {"tables", nlohmann::json::array()}};
  const nlohmann::json& here = report["machine"];
  if (!wishes.json)
    print("machine: " + here["cores"].dump() + " cores, " + here["kernel"].get<std::string>() + ", " +
          here["compiler"].get<std::string>() + "\n");
  for (const Table& table : tables()) {
    if (!wishes.all && !std::ranges::count(wishes.tables, table.name)) continue;
    std::vector<Result> results = run(checker, table, wishes.slow);
    if (wishes.json)
      report["tables"].push_back(asJson(table, results));
    else
      print(asText(table, results));
  }
  if (wishes.growth) {
    std::vector<Cost> costs = growth(checker, wishes.slow);
    if (wishes.json)
      report["growth"] = asJson(costs);
    else
      print(asText(costs));
  }
  if (!wishes.figure.empty()) drawPhilosophers(checker, wishes.figure);
  if (wishes.json) print(report.dump(2));
}

int call(int argc, char** argv) {
  try {
    Wishes wishes = parse({argv + 1, argv + argc});
    if (wishes.help)
      std::fputs(kUsage, stdout);
    else if (wishes.list)
      for (const Table& table : tables()) std::printf("%-18s %s\n", table.name.c_str(), table.title.c_str());
    else
      fulfil(wishes);
    return 0;
  } catch (const std::exception& mistake) {
    std::fprintf(stderr, "experiments: %s\n", mistake.what());
    return 2;
  }
}

}  // namespace
}  // namespace mcmini::experiments

int main(int argc, char** argv) {
  return mcmini::experiments::call(argc, argv);
}
