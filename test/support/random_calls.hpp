#pragma once

#include <string_view>
#include <vector>

#include "test/support/script.hpp"

namespace mcmini {

/// Kinds of calls that a program may be made of.
enum class CallKind : std::uint8_t {
  Mutex,
  Cond,
  Rwlock,
  Barrier,
  Once,
  Spin,
  Semaphore,
  Futex,
  Thread,
  Atomic
};

/// A program of such calls: the same one for the same seed, on every machine.
Program randomCalls(std::uint64_t seed, const std::vector<CallKind>& kinds);

}  // namespace mcmini
