#pragma once

#include <stddef.h>

namespace mcmini {

// Does the program, or a library that it is linked with, call a function of another library by such a name?
bool isImported(const char* const* functions, size_t count);

template <size_t kCount>
bool isImported(const char* const (&functions)[kCount]) {
  return isImported(functions, kCount);
}
inline bool isImported(const char* function) {
  return isImported(&function, 1);
}

}  // namespace mcmini
