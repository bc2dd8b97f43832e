#pragma once

#include <vector>

#include "core/search/execution.hpp"

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

}  // namespace mcmini
