#pragma once

#include <dlfcn.h>

// The function that a wrapper stands in front of, looked up in the library that the wrapper is in: from anywhere
// else RTLD_NEXT could find the wrapper again.
#define MCMINI_REAL(NAME)                                                          \
  ([]() -> decltype(&NAME) {                                                       \
    static decltype(&NAME) found;                                                  \
    if (found == nullptr) found = reinterpret_cast<decltype(&NAME)>(dlsym(RTLD_NEXT, #NAME)); \
    return found;                                                                  \
  }())

#define MCMINI_EXPORT extern "C" __attribute__((visibility("default")))
