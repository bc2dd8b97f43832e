#pragma once

#include <stdexcept>

namespace mcmini {

/// What the process returns; part of the contract with scripts.
enum class ExitCode : int {
  NoBug = 0,
  Bug = 1,
  Usage = 2,
  StoppedEarly = 3,
  CannotCheck = 4,
  OwnBug = 70,
  Interrupted = 130,
};

/// A mistake in how mcmini was called; the text says what to do instead.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace mcmini
