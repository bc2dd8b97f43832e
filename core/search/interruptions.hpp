#pragma once

#include <vector>

#include "core/search/loops.hpp"

namespace mcmini {

/// After these steps: has the thread, which was interrupted, had its time? What it waits for may have come
/// only if another thread has done something since.
bool hadItsTime(const std::vector<Taken>& steps, ThreadId thread);

/// Has it gone on, interrupted again and again, for so long that it must be waiting for somebody?
bool wentOnForLong(const std::vector<Taken>& steps, ThreadId thread);

/// All threads that could move have been interrupted. They may wait for one another, so they take turns.
struct Turn {
  ThreadId thread;
  bool alone;  ///< All have had their turns: nobody else can help it.
};
Turn nextTurn(const std::vector<Taken>& steps, const std::vector<ThreadId>& interrupted);

}  // namespace mcmini
