#pragma once

#include <string>

#include "core/report/finding_facts.hpp"

namespace mcmini {

/// A finding in words: what went wrong, who is involved, the schedule that leads there, and what the program
/// printed on the way.
std::string textOf(const Finding& finding, const Symbolizer& symbolizer);

}  // namespace mcmini
