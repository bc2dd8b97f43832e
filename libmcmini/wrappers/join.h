#pragma once

#include <stdint.h>

namespace mcmini {

// Has the thread ended without the C library, which knows nothing of its value then?
bool hasReturned(uint32_t thread, void** value);

}  // namespace mcmini
