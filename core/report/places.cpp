#include "core/report/places.hpp"

#include <algorithm>

namespace mcmini {

Location locationOf(const Stack& stack, CodeAddress site, const Symbolizer& symbolizer) {
  // What lies between the call and the announcement is a wrapper's, maybe one of a plugin.
  auto call = std::ranges::find_if(stack, [&](CodeAddress pc) { return pc == site || pc + 1 == site; });
  if (!stack.empty()) return symbolizer.userCode({call == stack.end() ? stack.begin() : call, stack.end()});
  return site != 0 ? symbolizer.locate(site - 1) : Location{};
}

std::string placeText(const Location& location) {
  bool isUnknown = location.line == 0 && (location.function.empty() || location.function == "_start");
  return isUnknown ? "" : shortPlace(location);
}

std::string placeOf(const Stack& stack, CodeAddress site, const Symbolizer& symbolizer) {
  return placeText(locationOf(stack, site, symbolizer));
}

}  // namespace mcmini
