#pragma once

// What the end of the process did to threads other than the one that ended it.

#include <vector>

#include "core/search/execution.hpp"

namespace mcmini {

/// The threads that still did something, other than to end, when the thread that ends the process had nothing
/// else left to do.
std::vector<ThreadId> cutOff(const Execution& run);

/// The process ended while threads had more to do, and no operation of the model said so. Who makes another
/// program of it has no more to do.
bool endedUnseen(const Execution& run);

}  // namespace mcmini
