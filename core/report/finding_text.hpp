#pragma once

#include <string>

#include "core/report/symbolizer.hpp"
#include "core/search/finding.hpp"

namespace mcmini {

/// A finding in words: what went wrong, who is involved, the schedule that leads there, and what the program
/// printed on the way.
std::string textOf(const Finding& finding, const Symbolizer& symbolizer);

/// "philo.c:18"; empty if nothing is known.
std::string placeOf(const Stack& stack, CodeAddress site, const Symbolizer& symbolizer);

}  // namespace mcmini
