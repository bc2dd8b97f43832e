#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/data_races.hpp"
#include "core/search/execution.hpp"

namespace mcmini {

/// An object that was to be undone before the process ends, and was not.
struct LeftBehind {
  ObjectId object{};
  std::size_t event = 0;  ///< The event that set it up.
};

/// A bug of the program, with the run that shows it.
struct Finding {
  enum class Kind : std::uint8_t { Deadlock, Assertion, Crash, Exit, Misuse, Stuck, Livelock, Race };

  Kind kind{};
  std::uint64_t trace = 0;               ///< The number of the run that found it, from 1.
  std::vector<Event> events;             ///< The run; for a misuse its last event is the offending one.
  ModelState initial;                    ///< At the beginning of it.
  ModelState state;                      ///< At the end of it; for a misuse before the offence.
  std::vector<TransitionPtr> pending;    ///< What the threads that are left would do next.
  std::vector<TransitionPtr> blocked;    ///< What the threads that cannot move wait to do.
  std::vector<TransitionPtr> spinning;   ///< What the threads that go round in a loop do next.
  std::vector<ThreadId> deadlocked;      ///< Those of them that can never move again.
  std::optional<LeftBehind> leftBehind;  ///< That is the misuse, rather than its last event.
  std::optional<Race> race;              ///< The run goes up to its second access.
  bool finishes = false;                 ///< What it is about may come when the process ends by itself.
  std::size_t switchesWhenFound = 0;     ///< Of the run that found it, if a simpler one is shown; else 0.
  std::optional<std::size_t> noReturn;   ///< The event after which no run ends well any more, if known.
  Stop stop;
  Rehearsal rehearsal;  ///< The run once more, with stacks and output.

  /// Equal for two findings that a user would call the same bug.
  std::string key() const;

  /// The same with other names for places in the code.
  std::string key(const std::function<std::string(CodeAddress)>& place) const;
};

/// The threads of a deadlock that wait for each other, each for the next; if there is no circle, those that
/// do not wait for another one of them. The rest is their consequence.
std::vector<ThreadId> causes(const Finding& finding);

/// The word for it in the RESULT line.
std::string_view word(Finding::Kind kind);

/// Of the objects that a finding is about, those at its end first.
std::vector<std::uint64_t> addressesIn(const Finding& finding);

/// Before it is rehearsed: what the target shall find out about it.
void askAbout(const Finding& finding, Target& target);

/// Of the threads that wait at the end of a run, those that wait for ever, whatever threads that were cut
/// short might still have done.
std::vector<ThreadId> deadlockedThreads(const Execution& run);

/// What there still is at the end of a run that was to be undone.
std::vector<LeftBehind> leftBehind(const Execution& run);

/// Has a thread come to where the program gives up the run?
bool anyGaveUp(const Execution& run);

/// What the threads that have not ended wait to do. Those at which the program gives up the run do not wait.
std::vector<TransitionPtr> blockedTransitions(const Execution& run);

}  // namespace mcmini
