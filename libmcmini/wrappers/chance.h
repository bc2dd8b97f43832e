#pragma once

#include "libmcmini/wire.h"

namespace mcmini {

// The calling thread was given its turn for an operation, with this result. A thread that is created takes
// its creator's seeds with it.
void handOnSeeds(const wire::Op& op, int64_t result);

}  // namespace mcmini
