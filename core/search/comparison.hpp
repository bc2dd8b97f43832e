#pragma once

#include <optional>
#include <vector>

#include "core/search/event.hpp"
#include "core/search/target.hpp"

namespace mcmini {

/// Index of the first event that the target did not do; the number of events if it did them all.
std::size_t firstDifference(const std::vector<Event>& events, const Target& target);

/// What the target did in the place of an event; nothing if it did not get there.
std::optional<VisibleOp> takenInstead(const std::vector<Event>& events, std::size_t event,
                                      const Target& target);

/// Up to `most` operations that the target took, from the first.
std::vector<VisibleOp> takenBy(const Target& target, std::size_t most);

/// Is it the same call, on the same object, with other arguments?
bool sameButArguments(const VisibleOp& a, const VisibleOp& b);

}  // namespace mcmini
