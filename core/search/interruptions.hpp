#pragma once

#include <optional>
#include <vector>

#include "core/search/event.hpp"
#include "core/search/loops.hpp"

namespace mcmini {

/// After these steps: has the thread, which was interrupted, had its time? What it waits for may have come
/// only if another thread has done something since; to yield, again and again, is not much.
bool hadItsTime(const std::vector<Taken>& steps, ThreadId thread);

/// Has it gone on, interrupted again and again, for so long that it must be waiting for somebody?
bool wentOnForLong(const std::vector<Taken>& steps, ThreadId thread);

/// All threads that could move have been interrupted, or poll. They may wait for one another, so they take
/// turns, and in the end each has all the time that a step may take. None if that did not help either.
struct Turn {
  ThreadId thread;
  std::uint32_t patience;
};
std::optional<Turn> nextTurn(const std::vector<Event>& events, const std::vector<ThreadId>& interrupted,
                             bool othersPoll);

}  // namespace mcmini
