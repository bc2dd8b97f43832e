#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "test/bench/experiments/checker.hpp"

namespace mcmini::experiments {

/// What one run costs where it is that long and has that many threads.
struct Cost {
  std::string what;  ///< Where the steps are that the runs differ in: at the "start" or at the "end".
  int threads = 0;
  int length = 0;           ///< Operations that were asked for.
  double steps = 0;         ///< Operations of a run.
  double microseconds = 0;  ///< Of processor time, for each run.
  double exponent = 0;      ///< Of the growth since the row before: 1 is linear. 0 in the first row.
};

/// Runs of 20 to 20,000 operations, then runs of 2 to 128 threads.
std::vector<Cost> growth(const Checker& checker, bool slow);

std::string asText(const std::vector<Cost>& costs);
nlohmann::json asJson(const std::vector<Cost>& costs);

}  // namespace mcmini::experiments
