#pragma once

#include "test/support/script.hpp"

namespace mcmini {

/// What a random program is made of.
struct Ingredients {
  /// Variables p and q, which are either plain memory, or have an operation for each access. Otherwise the
  /// program is the same.
  enum class Data : std::uint8_t { None, Plain, Visible };
  Data data = Data::None;
  bool locks = true;
  bool variables = true;
  bool semaphores = true;  ///< With timed waits.
  bool trouble = true;     ///< Crashes, failed assertions and misuse.
  bool threads = true;     ///< Threads started by others than main, and joins.
  bool exits = true;       ///< Ends of the process.
  bool choices = false;
  bool assumptions = false;
  bool sections = false;  ///< In which nobody else moves.
};

/// The same one for the same seed, on every machine.
Program randomProgram(std::uint64_t seed, const Ingredients& ingredients);

}  // namespace mcmini
