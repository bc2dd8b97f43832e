#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "test/bench/experiments/experiment.hpp"

namespace mcmini::experiments {

/// A row, and what it took, or why it was left out.
struct Result {
  Row row;
  std::optional<Measured> measured;
  std::string leftOut;
};

/// The command without paths: "philosophers 4", or with what its note says.
std::string nameOf(const Row& row);

/// A table with the published numbers to the left of ours.
std::string asText(const Table& table, const std::vector<Result>& results);
nlohmann::json asJson(const Table& table, const std::vector<Result>& results);

}  // namespace mcmini::experiments
