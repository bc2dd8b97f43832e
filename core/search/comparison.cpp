#include "core/search/comparison.hpp"

#include <algorithm>

namespace mcmini {

std::size_t firstDifference(const std::vector<Event>& events, const Target& target) {
  std::size_t performed = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].doomed) continue;
    if (performed >= target.taken() || !(target.takenOp(performed++) == events[i].transition->visible()))
      return i;
  }
  return events.size();
}

std::optional<VisibleOp> takenInstead(const std::vector<Event>& events, std::size_t event,
                                      const Target& target) {
  if (event >= events.size()) return std::nullopt;
  auto performed = static_cast<std::size_t>(
      std::ranges::count_if(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(event),
                            [](const Event& before) { return !before.doomed; }));
  if (performed >= target.taken()) return std::nullopt;
  return target.takenOp(performed);
}

std::vector<VisibleOp> takenBy(const Target& target, std::size_t most) {
  std::vector<VisibleOp> ops;
  for (std::size_t i = 0; i < target.taken() && i < most; ++i) ops.push_back(target.takenOp(i));
  return ops;
}

bool sameButArguments(const VisibleOp& a, const VisibleOp& b) {
  VisibleOp alike = a;
  alike.args = b.args;
  return alike == b && a.args != b.args;
}

}  // namespace mcmini
