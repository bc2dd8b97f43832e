#pragma once

#include <optional>
#include <vector>

#include "core/search/finding.hpp"

namespace mcmini {

/// A deadlock that the program gets out of only by chance: a thread is woken for no reason. That need not
/// happen.
struct ChanceDeadlock {
  std::vector<Event> events;
  ModelState state;
  std::vector<TransitionPtr> waiting;
};

/// Those that a run comes through, in the order that it took or in another one of the same trace.
std::vector<ChanceDeadlock> chanceDeadlocks(const Execution& run);

/// Where a run is now.
std::optional<ChanceDeadlock> chanceDeadlockAt(const Execution& run);

Finding asFinding(const ChanceDeadlock& deadlock, const ModelState& initial);

}  // namespace mcmini
