#pragma once

#include <cstdint>
#include <filesystem>

namespace mcmini {

/// Where a finding was saved, and the number by which the user can name it.
struct SavedAs {
  std::uint32_t number = 0;
  std::filesystem::path file;
};

}  // namespace mcmini
