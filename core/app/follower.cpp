#include "core/app/follower.hpp"

#include <utility>

namespace mcmini {

std::optional<Branch> Follower::next() {
  return std::exchange(started_, true) ? std::nullopt : std::optional(Branch{});
}

std::optional<ThreadId> Follower::choose(const Execution& run) {
  std::size_t step = run.events().size();
  if (step > 0) threads_.update(run.state(), run.mover());
  if (step >= schedule_.size()) return std::nullopt;
  std::optional<ThreadId> thread = threads_.thread(schedule_[step].thread);
  if (!thread) return depart(step, Departure::Why::NoSuchThread);
  const TransitionPtr& next = run.pending(*thread);
  if (!next) return depart(step, Departure::Why::Gone, *thread);
  if (!fits_(step, run, *next)) return depart(step, Departure::Why::Different, *thread);
  bool canDoIt = canMove(*next, run.state()) || waitsInSection(*next, run.state());
  if (!canDoIt || run.heldBack(*next)) return depart(step, Departure::Why::Waits, *thread);
  patience_ = schedule_[step].patience;
  alternative_ = schedule_[step].alternative;
  if (alternative_ >= next->choices()) return depart(step, Departure::Why::NoSuchChoice, *thread);
  return thread;
}

std::optional<ThreadId> Follower::depart(std::size_t step, Departure::Why why, ThreadId thread) {
  departure_ = {step, why, thread};
  return std::nullopt;
}

void Follower::forget() {
  threads_ = {};
  patience_.reset();
  departure_.reset();
  started_ = false;
}

}  // namespace mcmini
