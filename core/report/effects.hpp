#pragma once

#include <string>
#include <vector>

#include "core/model/names.hpp"
#include "core/search/finding.hpp"

namespace mcmini {

/// What became of an object by an event.
struct Change {
  ObjectId object{};
  std::string name;
  std::string now;         ///< "held by worker#1".
  bool isEvident = false;  ///< The event's thread has taken it, given it back, or set it up.
};

struct Effect {
  std::vector<Change> changes;
  bool wokeNobody = false;  ///< It was to let others go on, and nobody waited.
};

/// What these events of the finding, in ascending order, did to the objects that they are about.
std::vector<Effect> effectsOf(const Finding& finding, const std::vector<std::size_t>& events,
                              const Names& names);

/// A thread that waits for ever for what came before it, when nobody waited.
struct LostWakeup {
  ThreadId waiter{};
  ObjectId object{};
  std::size_t event = 0;  ///< Which came too early, the last one of them.
};

std::vector<LostWakeup> lostWakeups(const Finding& finding);

}  // namespace mcmini
