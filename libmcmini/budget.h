#pragma once

// How much memory the program may have, its heap and what it maps by itself.

#include <stdint.h>

namespace mcmini {

/// Of the bytes that are charged at one time; 0: no limit. malloc returns null beyond it.
void setMemoryLimit(uint64_t bytes);

/// False, and nothing is charged, if that would exceed the limit.
bool charge(uint64_t bytes);
void discharge(uint64_t bytes);

/// An allocation has failed that a larger limit or slot would have granted.
void noteShortage();
bool hadShortage();

}  // namespace mcmini
