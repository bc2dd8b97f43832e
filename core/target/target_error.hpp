#pragma once

#include <stdexcept>

namespace mcmini {

/// The target cannot be checked, and the text says why and what to do.
struct TargetError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace mcmini
