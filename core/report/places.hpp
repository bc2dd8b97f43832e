#pragma once

#include <string>

#include "core/report/symbolizer.hpp"
#include "core/search/target.hpp"

namespace mcmini {

/// Where an operation was called, by a stack or, without one, by its return address; empty if nothing is
/// known.
Location locationOf(const Stack& stack, CodeAddress site, const Symbolizer& symbolizer);

/// "philo.c:18"; empty if nothing is known.
std::string placeText(const Location& location);

/// Both in one.
std::string placeOf(const Stack& stack, CodeAddress site, const Symbolizer& symbolizer);

}  // namespace mcmini
