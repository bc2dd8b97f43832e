#include <algorithm>
#include <utility>

#include "core/search/execution.hpp"

namespace mcmini {

namespace {

/// So far a loop is tried step by step; what a thread does after that is guessed, and then looked at.
constexpr std::uint32_t kTrialRounds = 200;

/// A loop that a thread leaves by itself within so many steps is followed to its end.
constexpr std::size_t kFollowed = 1000;

/// One that it has not left after so many is taken for endless.
constexpr std::size_t kEndless = 10'000;

/// The same for one in which nothing is in vain: that may be work.
constexpr std::uint32_t kBusyTrialRounds = 150'000;

/// A thread that does so much without a break may be in a loop, though nothing of it is in vain.
constexpr std::uint32_t kBusyStreak = 8;

}  // namespace

bool Execution::spins(const std::vector<Taken>& steps, const ModelState& state,
                      const Transition& next) const {
  if (!knownLoops_.holdUp(next)) return false;
  Loops::Kind kind = loops_.futile(steps, state, next, true);
  if (kind == Loops::Kind::None) return false;
  auto known = knownLoops_.expected(KnownLoops::loopOf(next, kind, achievedBy(next.thread(), steps)));
  return known && known->outlook != KnownLoops::Outlook::Soon;
}

/// A loop that is met for the first time is tried: what a thread does a fixed number of times it may do.
Loops::Kind Execution::loopOf(const Transition& next) {
  bool busy = knownLoops_.holdUp(next) || (next.thread() == mover() && streak_ >= kBusyStreak);
  if (!busy && !wasInVain(next.thread()) && !next.onlyLooks()) return Loops::Kind::None;
  Loops::Kind kind = loops_.futile(steps_, state_, next, busy);
  if (kind == Loops::Kind::None) return kind;
  using enum KnownLoops::Outlook;
  // A thread that repeats itself has done something.
  const KnownLoops::Loop loop = KnownLoops::loopOf(next, kind, achieved_[index(next.thread())]);
  auto known = knownLoops_.expected(loop);
  if (!known) {
    known = {tryLoop(kind, next.thread()), true};
    knownLoops_.note(loop, known->outlook);
  }
  if (known->outlook == Soon) return Loops::Kind::None;
  bool isCertain = kind == Loops::Kind::Poll && known->outlook == Never && known->isTried;
  if (!isCertain) cutLoop_ = next.visible().site;
  return kind;
}

/// Afterwards the target is where it was.
KnownLoops::Outlook Execution::tryLoop(Loops::Kind kind, ThreadId thread) {
  using enum KnownLoops::Outlook;
  bool isBusy = kind == Loops::Kind::Busy;
  std::vector<Step> told;
  KnownLoops::Outlook found = Never;
  if (goesOn({thread}, isBusy ? kBusyTrialRounds : kTrialRounds, &told))
    found = Soon;
  else if (std::size_t steps = isBusy ? kEndless : stepsInLoop(told); steps < kEndless)
    found = steps < kFollowed ? Soon : Late;
  deferred_.clear();
  stop_ = target_.launch(stepsOf(events_, events_.size(), pending_, careful_), 0);
  foundLoop_ = foundLoop_ || (found == Never && isBusy);
  hasBusyLoop_ = hasBusyLoop_ || foundLoop_;
  return found;
}

bool Execution::leavesLoop(std::uint32_t rounds) {
  return goesOn(spinning_, rounds);
}

void Execution::followLoops() {
  for (ThreadId thread : spinning_) {
    const Transition& next = *pending(thread);
    knownLoops_.followAll(next);
    if (cutLoop_ == next.visible().site) cutLoop_ = 0;
  }
  relaunch();
}

/// Moves the threads in turn, outside of the run, as long as they do what they did before.
bool Execution::goesOn(const std::vector<ThreadId>& threads, std::uint32_t rounds, std::vector<Step>* told) {
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
      if (told != nullptr) told->push_back(deferred_.back());
      Stop stop = target_.resume(std::exchange(deferred_, {}), 0);
      if (stop.kind != Stop::Kind::Waiting || !state.alive(thread)) return true;
      VisibleOp op = target_.pending(thread);
      if (!didBefore(op)) return true;
      next[index(thread)] = make(op, state);
    }
  return false;
}

/// After a trial of one thread that has not left its loop: how far it gets until it does. Told all at once to
/// do what it did last, over and over, it leaves the loop when it does something else.
std::size_t Execution::stepsInLoop(const std::vector<Step>& told) {
  const std::size_t done = target_.taken();
  auto op = [&](std::size_t back) { return target_.takenOp(done - 1 - back); };
  std::size_t length = 1;
  while (2 * length < told.size() &&
         !(op(length) == op(0) && target_.pending(told[0].thread) == op(length - 1)))
    ++length;
  const std::span<const Step> loop = std::span(told).last(length);
  if (std::ranges::any_of(loop, &Step::involuntary)) return kEndless;
  std::vector<Step> all;
  while (all.size() < kEndless) all.insert(all.end(), loop.begin(), loop.end());
  target_.resume(all, 0);
  const std::size_t taken = std::min(target_.taken() - done, all.size());
  for (std::size_t i = 0; i < taken; ++i)
    if (!(target_.takenOp(done + i) == target_.takenOp(done - length + i % length))) return told.size() + i;
  return told.size() + taken;
}

}  // namespace mcmini
