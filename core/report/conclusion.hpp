#pragma once

#include <string>
#include <string_view>

#include "core/search/explorer.hpp"

namespace mcmini {

/// What else there is to know about a search, to say what to do next.
struct Circumstances {
  double seconds = 0;
  bool optimal = true;              ///< The search that does the fewest runs?
  bool waitsForConditions = false;  ///< Does the program wait at condition variables?
  bool watched = false;             ///< Does the program tell of its accesses to memory?
};

/// What was found in how many runs, what was covered by them and what was not, and, for a search that did not
/// get to its end, how far it got and what to try next.
std::string conclusion(const Summary& summary, const Limits& limits, const Circumstances& circumstances,
                       const std::string& placeOfLoop);

/// "yes", "bounded" or "no".
std::string_view completeness(const Summary& summary);

/// "about 12%"; empty if it is not known.
std::string shareText(double done);

/// "8 s", "3 min", "2 h".
std::string timeText(double seconds);

/// "12,480".
std::string withCommas(std::uint64_t number);

/// Of two digits, and not less than the number.
std::uint64_t roundedUp(double number);

}  // namespace mcmini
