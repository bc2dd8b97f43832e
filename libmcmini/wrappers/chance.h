#pragma once

#include <stdint.h>

namespace mcmini {

// The calling thread has created that one, which seeds its generators like its creator did.
void handOnSeeds(uint32_t child);

// The calling thread begins.
void inheritSeeds();

}  // namespace mcmini
