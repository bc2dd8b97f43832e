#pragma once

#include <stdint.h>

namespace mcmini {

// Does the next wait for this semaphore take a token that is there whatever the order of posts? Its thread
// learns nothing from those who post: to the model, their order does not matter.
bool hasSettledToken(uint64_t semaphore);

}  // namespace mcmini
