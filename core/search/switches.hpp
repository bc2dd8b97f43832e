#pragma once

#include <cstddef>
#include <vector>

#include "core/search/event.hpp"

namespace mcmini {

/// How often a run goes from one thread to another. The fewer, the easier it is to follow.
struct Switches {
  std::size_t all = 0;
  /// Those where the thread before could have gone on.
  std::size_t preemptions = 0;
  std::vector<bool> preempted;  ///< By event: does it begin with a preemption?
};

/// `pendingAtEnd`: what the threads that are left would do next. Not a preemption: to leave a thread that is
/// about to end the process, which waits for all others, or that reached no operation for a while, or that
/// was brought down. Events that did not take place do not count, except the last one.
Switches switchesOf(const std::vector<Event>& events, const ModelState& initial,
                    const std::vector<TransitionPtr>& pendingAtEnd);

}  // namespace mcmini
