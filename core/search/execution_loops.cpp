#include <algorithm>
#include <utility>

#include "core/search/execution.hpp"

namespace mcmini {

namespace {

/// A loop that a thread has not left by itself after so many rounds is taken for endless.
constexpr std::uint32_t kTrialRounds = 200;

/// The same for one in which nothing is in vain: that may be work.
constexpr std::uint32_t kBusyTrialRounds = 150'000;

/// A thread that does so much without a break may be in a loop, though nothing of it is in vain.
constexpr std::uint32_t kBusyStreak = 8;

}  // namespace

bool Execution::spins(const std::vector<Taken>& steps, const ModelState& state,
                      const Transition& next) const {
  return isKnownEndless(next) && loops_.futile(steps, state, next, true) != Loops::Kind::None;
}

bool Execution::isKnownEndless(const Transition& next) const {
  if (endless_.empty()) return false;
  auto known = endless_.find(next.visible().site);
  return known != endless_.end() && known->second;
}

/// A loop that is met for the first time is tried: what a thread does a fixed number of times it may do.
Loops::Kind Execution::loopOf(const Transition& next) {
  bool busy = isKnownEndless(next) || (next.thread() == mover() && streak_ >= kBusyStreak);
  if (!busy && !wasInVain(next.thread()) && !next.onlyLooks()) return Loops::Kind::None;
  Loops::Kind kind = loops_.futile(steps_, state_, next, busy);
  if (kind == Loops::Kind::None) return kind;
  auto [loop, isNew] = endless_.try_emplace(next.visible().site, false);
  if (isNew) {
    bool endless = !goesOn({next.thread()}, kind == Loops::Kind::Busy ? kBusyTrialRounds : kTrialRounds);
    deferred_.clear();
    stop_ = target_.launch(stepsOf(events_, events_.size(), pending_, careful_), 0);
    loop->second = endless;
    foundLoop_ = foundLoop_ || (endless && kind == Loops::Kind::Busy);
    hasBusyLoop_ = hasBusyLoop_ || foundLoop_;
  }
  if (!loop->second) return Loops::Kind::None;
  if (kind != Loops::Kind::Poll) cutLoop_ = next.visible().site;
  return kind;
}

bool Execution::leavesLoop(std::uint32_t rounds) {
  return goesOn(spinning_, rounds);
}

void Execution::followLoops() {
  for (ThreadId thread : spinning_) {
    CodeAddress site = pending(thread)->visible().site;
    endless_[site] = false;
    if (cutLoop_ == site) cutLoop_ = 0;
  }
  relaunch();
}

/// Moves the threads in turn, outside of the run, as long as they do what they did before.
bool Execution::goesOn(const std::vector<ThreadId>& threads, std::uint32_t rounds) {
  ModelState state = state_;
  std::vector<TransitionPtr> next = pending_;
  std::vector<VisibleOp> done;
  auto didBefore = [&](const VisibleOp& op) { return std::ranges::find(done, op) != done.end(); };
  for (const Taken& step : steps_)
    if (std::ranges::count(threads, step.transition->thread()) > 0 && !didBefore(step.transition->visible()))
      done.push_back(step.transition->visible());
  constexpr std::size_t kMostSteps = 500'000;  // more than that no target takes, after those of the run
  std::size_t most = std::min<std::size_t>(rounds, kMostSteps / std::max<std::size_t>(threads.size(), 1));
  for (std::size_t i = 0; i < most; ++i)
    for (ThreadId thread : threads) {
      const TransitionPtr& mine = next[index(thread)];
      if (!canMove(*mine, state)) return true;
      deferred_.push_back({thread, mine->apply(state), false, mine->involuntary()});
      Stop stop = target_.resume(std::exchange(deferred_, {}), 0);
      if (stop.kind != Stop::Kind::Waiting || !state.alive(thread)) return true;
      VisibleOp op = target_.pending(thread);
      if (!didBefore(op)) return true;
      next[index(thread)] = make(op, state);
    }
  return false;
}

}  // namespace mcmini
