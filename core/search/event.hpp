#pragma once

#include <cstdint>
#include <vector>

#include "core/model/transition.hpp"
#include "core/search/target.hpp"

namespace mcmini {

/// An operation that a run has taken.
struct Event {
  TransitionPtr transition;
  Result result = 0;
  /// It must not be carried out: the program broke a rule, or the thread got stuck after it. In the order of
  /// the run it keeps its place, but not even the model does it, and whatever depends on it cannot happen any
  /// more.
  bool doomed = false;
  /// It is the last one of its thread, which crashes after it. Others go on as long as the crash is to come.
  bool last = false;
  std::uint32_t patience = kUsualPatience;  ///< With its thread, when it took this one first.
  std::uint32_t work = 0;                   ///< How long its thread then worked.
};

/// The events as the target can be made to repeat them. The first `known` have been done in this order
/// before, and led to what is pending, if that is given. Who is known to be interrupted is so soon; or, to be
/// careful, after as much work as the first time, since that may be seen by others.
std::vector<Step> stepsOf(const std::vector<Event>& events, std::size_t known,
                          const std::vector<TransitionPtr>& pending = {}, bool careful = false);

/// An event that a run is to take. What became of it after the same events before becomes of it again.
struct Planned {
  TransitionPtr transition;
  bool doomed = false;
  bool last = false;
  std::uint32_t work = 0;
};

/// The thread that takes a step, and the way that this goes.
struct Move {
  ThreadId thread{};
  std::uint32_t alternative = 0;
  auto operator<=>(const Move&) const = default;  // NOLINT(modernize-use-nullptr): sees a 0 in it
};

using Moves = std::vector<Move>;

/// Where a new run leaves the one before it: after the first `keep` events, by taking these.
struct Branch {
  std::size_t keep = 0;
  std::vector<Planned> then;
};

}  // namespace mcmini
