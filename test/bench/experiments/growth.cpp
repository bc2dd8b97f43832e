#include "test/bench/experiments/growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "test/bench/experiments/text.hpp"

namespace mcmini::experiments {

namespace {

constexpr int kTimes = 3;
constexpr int kLocks = 4;  // 2^4 runs

/// In seconds, with so many locks that two threads fight for: the least of several, since other work on the
/// machine only adds to it.
Measured least(const Checker& checker, const std::string& what, int threads, int length, int locks) {
  Measured best;
  for (int i = 0; i < kTimes; ++i) {
    Measured one = checker.check(
        "growth", {what, std::to_string(threads), std::to_string(length), std::to_string(locks)}, {});
    if (i == 0 || one.processorTime < best.processorTime) best = one;
  }
  return best;
}

/// Without what is the same for one run and for many: start-up, and the check that the program repeats
/// itself.
Cost costOf(const Checker& checker, const std::string& what, int threads, int length) {
  std::fprintf(stderr, "growth: %s, %d threads, %d operations\n", what.c_str(), threads, length);
  Measured one = least(checker, what, threads, length, 0);
  Measured many = least(checker, what, threads, length, kLocks);
  Cost cost{what, threads, length};
  double runs = static_cast<double>(many.traces - one.traces);
  cost.microseconds = (many.processorTime - one.processorTime) * 1e6 / runs;
  cost.steps = static_cast<double>(one.transitions);
  return cost;
}

void addExponents(std::vector<Cost>& costs, double (*size)(const Cost&)) {
  for (std::size_t i = 1; i < costs.size(); ++i)
    costs[i].exponent = std::log(costs[i].microseconds / costs[i - 1].microseconds) /
                        std::log(size(costs[i]) / size(costs[i - 1]));
}

std::string textOf(double number) {
  return number == 0 ? "-" : shortly(number);
}

}  // namespace

std::vector<Cost> growth(const Checker& checker, bool slow) {
  std::vector<Cost> all;
  for (const char* what : {"end", "start"}) {
    std::vector<Cost> lengths;
    for (int length : {20, 200, 2'000, 20'000}) lengths.push_back(costOf(checker, what, 2, length));
    addExponents(lengths, [](const Cost& cost) { return cost.steps; });
    all.insert(all.end(), lengths.begin(), lengths.end());
  }
  std::vector<Cost> threads;
  for (int count : {2, 8, 32, 128}) threads.push_back(costOf(checker, "end", count, 2'000));
  addExponents(threads, [](const Cost& cost) { return static_cast<double>(cost.threads); });
  all.insert(all.end(), threads.begin(), threads.end());
  if (slow) all.push_back(costOf(checker, "end", 128, 20'000));
  return all;
}

std::string asText(const std::vector<Cost>& costs) {
  std::vector<std::vector<std::string>> cells = {
      {"runs differ at the", "threads", "operations", "us a run", "us an operation", "exponent"}};
  for (const Cost& cost : costs)
    cells.push_back({cost.what, std::to_string(cost.threads),
                     withCommas(static_cast<std::uint64_t>(cost.steps)), shortly(cost.microseconds),
                     shortly(cost.microseconds / cost.steps), textOf(cost.exponent)});
  return "growth: processor time of a run over its length, and over the number of threads\n\n" +
         inColumns(cells);
}

nlohmann::json asJson(const std::vector<Cost>& costs) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Cost& cost : costs)
    rows.push_back({{"runs_differ_at", cost.what},
                    {"threads", cost.threads},
                    {"operations", cost.steps},
                    {"microseconds_per_run", cost.microseconds},
                    {"exponent", cost.exponent}});
  return rows;
}

}  // namespace mcmini::experiments
