#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace mcmini {

/// "1 run", "2 runs".
inline std::string plural(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace mcmini
