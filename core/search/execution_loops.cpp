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

/// So many loops are tried at one place, by one thread.
constexpr std::ptrdiff_t kMostTrials = 8;

/// A thread that does so much without a break may be in a loop, though nothing of it is in vain.
constexpr std::uint32_t kBusyStreak = 8;

}  // namespace

bool Execution::spins(const std::vector<Taken>& steps, const ModelState& state,
                      const Transition& next) const {
  if (!isKnownEndless(next)) return false;
  Loops::Kind kind = loops_.futile(steps, state, next, true);
  if (kind == Loops::Kind::None) return false;
  const Outlook* known = outlook(loopAt(next, kind, achievedBy(next.thread(), steps)));
  return known != nullptr && *known != Outlook::Ends;
}

Execution::Loop Execution::loopAt(const Transition& next, Loops::Kind kind, std::size_t achieved) {
  const VisibleOp& op = next.visible();
  if (kind == Loops::Kind::Busy) return {ThreadId{}, op.site, 0, kind, 0};  // to try it takes a second
  return {next.thread(), op.site, op.object, kind, kind == Loops::Kind::Poll ? achieved : 0};
}

namespace {

bool isAtSamePlace(const auto& known, const auto& here) {
  if (known.kind == Loops::Kind::Busy) return known.site == here.site;
  return known.thread == here.thread && known.site == here.site && known.object == here.object;
}

}  // namespace

/// As it was tried, or as the last one was that could be tried at this place.
const Execution::Outlook* Execution::outlook(const Loop& loop) const {
  auto isLike = [&](const auto& other) {
    return isAtSamePlace(other.first, loop) && other.first.kind == loop.kind;
  };
  if (auto known = endless_.find(loop); known != endless_.end()) return &known->second;
  if (std::ranges::count_if(endless_, isLike) < kMostTrials) return nullptr;
  return &std::prev(endless_.upper_bound(loop))->second;
}

bool Execution::isKnownEndless(const Transition& next) const {
  if (endless_.empty()) return false;
  const Loop here = loopAt(next, Loops::Kind::None);
  return std::ranges::any_of(endless_, [&](const auto& known) {
    return isAtSamePlace(known.first, here) && known.second != Outlook::Ends;
  });
}

/// A loop that is met for the first time is tried: what a thread does a fixed number of times it may do.
Loops::Kind Execution::loopOf(const Transition& next) {
  bool busy = isKnownEndless(next) || (next.thread() == mover() && streak_ >= kBusyStreak);
  if (!busy && !wasInVain(next.thread()) && !next.onlyLooks()) return Loops::Kind::None;
  Loops::Kind kind = loops_.futile(steps_, state_, next, busy);
  if (kind == Loops::Kind::None) return kind;
  const Loop loop =
      loopAt(next, kind, index(next.thread()) < achieved_.size() ? achieved_[index(next.thread())] : 0);
  const Outlook* known = outlook(loop);
  bool isTried = known == nullptr || endless_.contains(loop);
  Outlook expected = known == nullptr ? tried(loop, next.thread()) : *known;
  if (expected == Outlook::Ends) return Loops::Kind::None;
  if (kind != Loops::Kind::Poll || expected == Outlook::EndsLate || !isTried) cutLoop_ = next.visible().site;
  return kind;
}

Execution::Outlook Execution::tried(const Loop& loop, ThreadId thread) {
  bool isBusy = loop.kind == Loops::Kind::Busy;
  std::vector<Step> told;
  Outlook found = Outlook::Endless;
  if (goesOn({thread}, isBusy ? kBusyTrialRounds : kTrialRounds, &told))
    found = Outlook::Ends;
  else if (std::size_t steps = isBusy ? kEndless : stepsInLoop(told); steps < kEndless)
    found = steps < kFollowed ? Outlook::Ends : Outlook::EndsLate;
  deferred_.clear();
  stop_ = target_.launch(stepsOf(events_, events_.size(), pending_, careful_), 0);
  endless_[loop] = found;
  foundLoop_ = foundLoop_ || (found == Outlook::Endless && isBusy);
  hasBusyLoop_ = hasBusyLoop_ || foundLoop_;
  return found;
}

bool Execution::leavesLoop(std::uint32_t rounds) {
  return goesOn(spinning_, rounds);
}

void Execution::followLoops() {
  for (ThreadId thread : spinning_) {
    const Loop here = loopAt(*pending(thread), Loops::Kind::None);
    for (auto& [loop, outlook] : endless_)
      if (isAtSamePlace(loop, here)) outlook = Outlook::Ends;
    if (cutLoop_ == here.site) cutLoop_ = 0;
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
