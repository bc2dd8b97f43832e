#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/search/explorer.hpp"
#include "core/search/simplest.hpp"

namespace mcmini {

/// What trials may cost.
struct Budget {
  std::uint64_t runs;
  std::uint64_t steps;
};

/// Runs that are done to understand a finding better. They count for nothing.
class Trials {
 public:
  /// `run`: that of the exploration which found it.
  Trials(Target& target, const Execution& run, const Limits& limits)
      : target_(target), run_(run), limits_(limits) {}

  /// As Follow says, for the finding with this key.
  std::optional<Finding> follow(const Order& order, const std::string& key);

  /// Does a run that begins like this end well: without a bug, and with status 0? Takes what it needs from
  /// the budget. Nothing: that cannot be told, or not within the budget.
  std::optional<bool> canEndWell(const Order& beginning, Budget& budget);

 private:
  Target& target_;
  const Execution& run_;
  const Limits& limits_;
  bool takesLong_ = false;  // threads were seen that reach no operation for a while
};

/// The step of the run, from 0, after which no run ends well any more: up to there one could. Nothing if that
/// cannot be told, or no run ends well at all.
std::optional<std::size_t> pointOfNoReturn(const Finding& found, Trials& trials);

}  // namespace mcmini
