#pragma once

#include <stdint.h>

namespace mcmini {

// Has the thread ended without the C library, which knows nothing of its value then?
bool hasReturned(uint32_t thread, void** value);

// How many threads have been created, and nobody has joined them?
uint32_t unjoinedThreads();
void noteJoined();

}  // namespace mcmini
