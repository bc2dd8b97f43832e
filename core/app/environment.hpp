#pragma once

#include <cstdlib>
#include <string>

namespace mcmini {

/// Empty if it is not set.
inline std::string environmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace mcmini
