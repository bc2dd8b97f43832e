#pragma once

#include <optional>
#include <set>
#include <string>

#include "test/support/script.hpp"
#include "test/support/test_model.hpp"
#include "test/support/trace.hpp"

namespace mcmini {

/// All that a program can do, found by trying everything on the model: no search, no target.
struct Behaviours {
  std::set<Trace> traces;  ///< The maximal ones.
  std::set<Trace>
      deadlocks;  ///< Those that leave a thread blocked, though nobody was cut, and nothing went wrong.
  /// As Finding::key says: where all wait for ever, unless one of them is woken for no reason.
  std::set<std::string> deadlockKeys;
  std::set<std::string> bugs;  ///< As below; deadlocks are not among them.
  bool races = false;          ///< Could two threads use one of the data at once, one of them to write it?
  std::set<std::string> brokenPromises;  ///< As comparePromises says; only if asked for.
};

struct BruteForceLimits {
  std::uint32_t threadDepth = std::numeric_limits<std::uint32_t>::max();
  std::size_t partialTraces = 6000;
  bool checkPromises = false;      ///< Of all operations that wait, in every state.
  std::set<std::uint64_t> data{};  ///< Variables that are to be kept from races.
  bool learns = false;  ///< Operations learn in a run what they depend on: everything is tried twice.
};

/// Nothing if the program is too large for that. A misuse stays in the trace, and what depends on it cannot
/// happen any more. A thread that crashes moves no more.
std::optional<Behaviours> bruteForce(const Program& program, Labels& labels, BruteForceLimits limits = {},
                                     const Model& model = testModel());

/// Equal for what a user would call the same bug: its kind and its place.
std::string bugName(std::string_view kind, CodeAddress site);

}  // namespace mcmini
