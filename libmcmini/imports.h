#pragma once

#include <stddef.h>

namespace mcmini {

// One of these names, if the program or a library that it is linked with calls a function of another library
// by that name; null if not.
const char* findImported(const char* const* functions, size_t count);

inline bool isImported(const char* function) {
  return findImported(&function, 1) != nullptr;
}

}  // namespace mcmini
