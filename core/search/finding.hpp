#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/execution.hpp"

namespace mcmini {

/// A bug of the program, with the run that shows it.
struct Finding {
  enum class Kind : std::uint8_t { Deadlock, Assertion, Crash, Exit, Misuse, Stuck, Livelock };

  Kind kind{};
  std::uint64_t trace = 0;              ///< The number of the run that found it, from 1.
  std::vector<Event> events;            ///< The run; for a misuse its last event is the offending one.
  ModelState state;                     ///< At the end of it; for a misuse before the offence.
  std::vector<TransitionPtr> blocked;   ///< What the threads that cannot move wait to do.
  std::vector<TransitionPtr> spinning;  ///< What the threads that go round in a loop do next.
  std::vector<ThreadId> deadlocked;     ///< Those of them that can never move again.
  Stop stop;
  Rehearsal rehearsal;  ///< The run once more, with stacks and output.

  /// Equal for two findings that a user would call the same bug.
  std::string key() const;
};

/// The word for it in the RESULT line.
std::string_view word(Finding::Kind kind);

/// Of the threads that wait at the end of a run, those that wait for ever, whatever threads that were cut
/// short might still have done.
std::vector<ThreadId> deadlockedThreads(const Execution& run);

/// What the threads that have not ended wait to do.
std::vector<TransitionPtr> blockedTransitions(const Execution& run);

}  // namespace mcmini
