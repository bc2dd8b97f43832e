#pragma once

#include <cstdint>
#include <filesystem>

namespace mcmini {

/// Where a bug is kept.
struct SavedAs {
  std::uint32_t number = 0;
  std::filesystem::path file;
};

}  // namespace mcmini
