#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/transition.hpp"

namespace mcmini {

/// A step that a run has taken, as far as loops are concerned.
struct Taken {
  const Transition* transition;
  Result result;
};

/// It fails, only looks, or touches nothing. What is chosen again as before brings nothing new either.
bool inVain(const Taken& step);

/// How much the thread has done in these steps that was not in vain.
std::size_t achievedBy(ThreadId thread, const std::vector<Taken>& steps);

/// Tells threads that go round in circles from those that get on. A thread polls if it does the same
/// operations over and over, some of them in vain (they fail, or touch nothing, like a yield), and nothing
/// that it looks at has changed meanwhile: doing them once more cannot bring anything new. It may go on when
/// another thread has changed something.
class Loops {
 public:
  /// A loop that takes something and gives it back may go round `maxRepeats` more times after the first; one
  /// that only looks is not repeated at all.
  explicit Loops(std::uint32_t maxRepeats) : maxRepeats_(maxRepeats) {}

  enum class Kind : std::uint8_t { None, Poll, Retry, Busy };

  /// After these steps, which led to this state: would `next` begin a futile round of its thread? `busy`:
  /// also if nothing that the thread does is in vain, as where it takes a lock to look at a variable.
  Kind futile(const std::vector<Taken>& steps, const ModelState& state, const Transition& next,
              bool busy) const;

 private:
  std::uint32_t maxRepeats_;
};

}  // namespace mcmini
