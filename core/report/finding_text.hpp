#pragma once

#include <optional>
#include <string>

#include "core/report/finding_facts.hpp"
#include "core/report/saved_as.hpp"
#include "core/report/style.hpp"

namespace mcmini {

/// What of a finding is shown besides what it is.
struct FindingTextSettings {
  Style style;
  bool output = true;  ///< What the program printed.
  std::optional<SavedAs> saved = std::nullopt;
};

/// A finding in words: what went wrong, who is involved, the schedule that leads there, what the program
/// printed on the way, and how to go on.
std::string textOf(const Finding& finding, const Symbolizer& symbolizer, const FindingTextSettings& settings);

/// What a program printed, set off from what is said about it: each line behind a bar.
std::string quoted(const std::string& output, const Style& style);

}  // namespace mcmini
