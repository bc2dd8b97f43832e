#include "core/search/failures.hpp"

#include <algorithm>

namespace mcmini {

namespace {

/// What each thread did next after an event, or is about to do.
std::vector<TransitionPtr> nextAfter(const Failures::Run& run, std::size_t event) {
  std::vector<TransitionPtr> next = run.pending;
  for (std::size_t i = run.events.size(); --i > event;) {
    const TransitionPtr& transition = run.events[i].transition;
    std::uint32_t thread = index(transition->thread());
    next.resize(std::max<std::size_t>(next.size(), thread + 1));
    next[thread] = transition;
  }
  return next;
}

/// Would the threads do the same after both events?
bool isSameNext(const Failures::Run& run, std::size_t before, std::size_t now) {
  std::vector<TransitionPtr> then = nextAfter(run, before);
  std::vector<TransitionPtr> next = nextAfter(run, now);
  next.resize(then.size());
  std::size_t movers = 0;
  for (std::uint32_t i = 0; i < then.size(); ++i) {
    if (then[i] == next[i]) continue;  // has not moved in between
    ++movers;
    if (!then[i] || !next[i] || !(then[i]->visible() == next[i]->visible())) return false;
  }
  return movers >= 2;
}

}  // namespace

std::uint32_t Failures::returns(const Run& run) const {
  if (failures_.empty() || failures_.back().event + 1 != run.events.size()) return 0;
  return returnsAt(run, failures_.size() - 1);
}

bool Failures::hasReturned(const Run& run, std::size_t from, std::uint32_t times) const {
  for (std::size_t i = failures_.size(); i-- > 0 && failures_[i].event >= from;)
    if (failures_[i].event + 1 < run.events.size() && returnsAt(run, i) >= times) return true;
  return false;
}

/// How often the program was, after one of its earlier failures, where it is after this one. Since those of
/// the thread's own streak nobody else has moved.
std::uint32_t Failures::returnsAt(const Run& run, std::size_t failure) const {
  const Failure& now = failures_[failure];
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < failure && failures_[i].event + now.streak < now.event; ++i)
    if (failures_[i].after == now.after && isSameNext(run, failures_[i].event, now.event)) ++count;
  return count;
}

}  // namespace mcmini
