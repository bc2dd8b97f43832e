#include "core/search/execution.hpp"

#include <algorithm>
#include <utility>

#include "core/search/comparison.hpp"

namespace mcmini {

namespace {

const TransitionPtr kNoTransition;

/// How far a thread may go before the checker looks after it.
constexpr std::uint32_t kRunAhead = 16;

/// How far back it is seen that a thread looks at the same again.
constexpr std::size_t kMemory = 64;
/// Is the last step a look that its thread has taken before, and with the same result?
bool looksAgain(const std::vector<Taken>& steps) {
  const Taken& last = steps.back();
  auto isSame = [&](const Taken& step) {
    return step.result == last.result && step.transition->visible() == last.transition->visible();
  };
  auto recent = std::span(steps).last(std::min(steps.size(), kMemory));
  return last.transition->onlyLooks() && std::ranges::count_if(recent, isSame) > 1;
}

void requireAgreement(const Stop& stop) {
  if (stop.kind == Stop::Kind::Refused)
    throw std::logic_error("the model granted an operation that the thread library refused: " + stop.text);
}

}  // namespace

void Execution::restart(const Branch& branch) {
  std::vector<Event> prefix(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(branch.keep));
  for (const Planned& planned : branch.then)
    prefix.push_back({planned.transition, 0, planned.doomed, planned.last, kUsualPatience, planned.work});
  std::size_t known = std::min(branch.keep, followed_);
  rebuild(prefix, branch.keep);
  while (start(known)) {
    prefix = events_;
    rebuild(prefix, branch.keep);
  }
}

/// What comes after the first `keep` is planned, and has not been done here before.
void Execution::rebuild(std::vector<Event>& prefix, std::size_t keep) {
  events_.clear();
  state_ = initial_;
  pending_.clear();
  taken_.clear();
  doomed_.clear();
  lost_.clear();
  streak_ = 0;
  steps_.clear();
  inVain_.clear();
  achieved_.clear();
  failures_.clear();
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    Event& event = prefix[i];
    event.transition = asIn(state_, event.transition);
    if (i >= keep) event.doomed = event.doomed || isMisuse(*event.transition, state_);
    Result result = event.doomed ? event.result : event.transition->apply(state_);
    if (i < keep && result != event.result)
      throw ModelFault(*event.transition, "returns something else the second time, in the same state");
    event.result = result;
    push(event);
  }
}

void Execution::relaunch() {
  start(events_.size());
}

/// The first `known` events have been done in this order before. True if one of the others was announced with
/// other arguments than planned, which it has now.
bool Execution::start(std::size_t known) {
  deferred_.clear();
  std::size_t different = launch(known);
  if (different < events_.size() && everInterrupted_ && !careful_) {
    careful_ = true;
    different = launch(known);
  }
  followed_ = different == events_.size() ? SIZE_MAX : different;
  if (different >= known && adapt(different)) return true;
  if (different < events_.size() || stop_.kind == Stop::Kind::Diverged) complain(different, known);
  requireAgreement(stop_);
  performed_ = events_.size() - doomed_.size();
  pending_.clear();
  announceAll();
  return false;
}

/// Returns the index of the first event that the target did not do; the number of events if it did them all.
std::size_t Execution::launch(std::size_t known) {
  stop_ = target_.launch(stepsOf(events_, known, pending_, careful_), runAhead(mover()));
  return firstDifference(events_, target_);
}

/// What a call finds in memory, the type of a mutex for instance, may depend on what others did before it.
bool Execution::adapt(std::size_t different) {
  std::optional<VisibleOp> actual = takenInstead(events_, different, target_);
  if (!actual || !sameButArguments(events_[different].transition->visible(), *actual)) return false;
  state_ = initial_;
  for (std::size_t i = 0; i < different; ++i)
    if (!events_[i].doomed) events_[i].transition->apply(state_);
  actual->alternative = events_[different].transition->visible().alternative;
  events_[different].transition = make(*actual, state_);
  return true;
}

/// The target did something else than this event.
void Execution::complain(std::size_t different, std::size_t known) {
  const TransitionPtr expected = different < events_.size() ? events_[different].transition : nullptr;
  std::optional<VisibleOp> instead = takenInstead(events_, different, target_);
  TransitionPtr actual = instead ? make(*instead, state_) : nullptr;
  std::vector<VisibleOp> before = takenBy(target_, events_.size());
  if (different >= known && known < events_.size()) {
    everInterrupted_ = everInterrupted_ || (actual && actual->involuntary());
    if (actual && actual->involuntary()) throw HiddenCommunication(expected);
    target_.launch(stepsOf(events_, known, {}, careful_), 0);
    if (takenBy(target_, events_.size()) == before) throw HiddenCommunication(expected);
  }
  if ((careful_ || stop_.signalled) && expected) throw HiddenCommunication(expected);
  throw Nondeterminism(different, expected, actual);
}

void Execution::step(ThreadId thread, std::optional<std::uint32_t> patience, std::uint32_t alternative) {
  TransitionPtr transition = alternative == 0 ? pending(thread) : pendingAs(thread, alternative);
  if (!transition || !canMove(*transition, state_))
    throw std::logic_error("a thread was told to move that cannot");
  Result result = transition->apply(state_);
  push({transition, result});
  if (!ranAhead()) {
    std::uint32_t usual = othersCanMove(thread) ? kUsualPatience : kEndlessPatience;
    return carryOut({thread, result, false, transition->involuntary(),
                     patience.value_or(turn_ ? turn_->patience : usual)});
  }
  if (target_.takenOp(performed_).thread != thread || result != target_.takenResult(performed_))
    throw ModelFault(*transition, "does not wait and returns 0, but its model says otherwise");
  ++performed_;
  noteWork();
  announceAll();
}

/// How long the thread of the last event then worked.
void Execution::noteWork() {
  auto work = stop_.work.find(performed_);
  events_.back().work = work == stop_.work.end() ? 0 : work->second;
}

/// A thread that ends has nothing more to say. If another one goes on, the target is told of both at once.
void Execution::carryOut(Step step) {
  events_.back().patience = step.patience;
  deferred_.push_back(step);
  ++performed_;
  if (!state_.alive(step.thread) && !events_.back().transition->endsProcess()) {
    pending_[index(step.thread)] = nullptr;
    refreshEnabled();
    if (!enabled_.empty()) return;
  }
  stop_ = target_.resume(std::exchange(deferred_, {}), runAhead(step.thread));
  noteWork();
  if (stop_.kind == Stop::Kind::Diverged) throw Nondeterminism(events_.size(), nullptr, nullptr);
  requireAgreement(stop_);
  announceAll();
}

/// A thread that crashed stops where it crashes next time, unless it knows how to prevent that.
void Execution::bringDown(bool crashed) {
  lost_.push_back(mover());
  if (!crashed) return doomLast();
  events_.back().last = true;
  relaunch();
  if (stop_.kind != Stop::Kind::Waiting) doomLast();
}

void Execution::doomLast() {
  events_.back().last = false;
  events_.back().doomed = true;
  doomed_.push_back(events_.size() - 1);
  state_ = initial_;
  for (const Event& event : events_)
    if (!event.doomed) event.transition->apply(state_);
  relaunch();
}

void Execution::doom(ThreadId thread) {
  push({pending(thread), 0, true});
}

const Stop& Execution::stop() const {
  static const Stop waiting{};
  return ranAhead() || !deferred_.empty() ? waiting : stop_;
}

void Execution::push(const Event& event) {
  const TransitionPtr& transition = event.transition;
  const Result result = event.result;
  streak_ = !events_.empty() && mover() == transition->thread() ? streak_ + 1 : 1;
  if (event.doomed) doomed_.push_back(events_.size());
  if (event.doomed || event.last) lost_.push_back(transition->thread());
  events_.push_back(event);
  steps_.push_back({transition.get(), result});
  std::uint32_t thread = index(transition->thread());
  if (thread >= taken_.size()) {
    taken_.resize(thread + 1);
    inVain_.resize(thread + 1);
    achieved_.resize(thread + 1);
  }
  ++taken_[thread];
  if (!inVain(steps_.back())) ++achieved_[thread];
  // Threads that lock to look in turns get nowhere either.
  bool locksAgain = hasBusyLoop_ && streak_ == 1 && knownLoops_.holdUp(*transition);
  if (transition->failed(result) || locksAgain || looksAgain(steps_))
    failures_.add(events_.size() - 1, state_, streak_);
  if (transition->failed(result) || touchesNothing(*transition)) inVain_[thread] = true;
}

/// Threads other than the one that moved keep what they announced before.
void Execution::announceAll() {
  pending_.resize(state_.threadCount());
  if (!events_.empty()) pending_[index(mover())] = nullptr;
  for (std::uint32_t i = 0; i < state_.threadCount(); ++i) {
    pending_[i] = state_.alive(ThreadId{i}) ? asIn(state_, std::move(pending_[i])) : nullptr;
    if (!pending_[i]) announce(ThreadId{i});
  }
  refreshEnabled();
}

void Execution::announce(ThreadId thread) {
  if (!state_.alive(thread) || isCut(thread) || lost(thread)) return;
  if (ranAhead()) {
    VisibleOp next = target_.takenOp(performed_);
    if (next.thread == thread) {
      pending_[index(thread)] = make(next, state_);
      return;
    }
  }
  bool down = stop_.kind != Stop::Kind::Waiting && stop_.thread == thread;
  if (!down && stop_.kind != Stop::Kind::Exited)
    pending_[index(thread)] = make(target_.pending(thread), state_);
}

bool Execution::lost(ThreadId thread) const {
  return std::ranges::count(lost_, thread) != 0;
}

TransitionPtr Execution::make(const VisibleOp& op, const ModelState& state) const {
  const Catalog::Operation* known = catalog_.find(op.op);
  if (known == nullptr) throw UnknownOperation(op);
  return known->make(op, state);
}

void Execution::refreshEnabled() {
  enabled_.clear();
  spinning_.clear();
  busy_.clear();
  interrupted_.clear();
  bool canWait = false;
  for (const TransitionPtr& transition : pending_) {
    if (!transition || heldBack(*transition)) continue;
    if (!canMove(*transition, state_) && !waitsInSection(*transition, state_)) continue;
    ThreadId thread = transition->thread();
    everInterrupted_ = everInterrupted_ || transition->involuntary();
    if (transition->involuntary() && hadItsTime(steps_, thread)) {
      interrupted_.push_back(thread);
      continue;
    }
    if (Loops::Kind loop = ranAhead() ? Loops::Kind::None : loopOf(*transition); loop != Loops::Kind::None) {
      (loop == Loops::Kind::Busy ? busy_ : spinning_).push_back(thread);
      continue;
    }
    enabled_.push_back(thread);
    canWait |= !transition->endsProcess();
  }
  if (enabled_.empty()) enabled_ = busy_;
  turn_.reset();
  if (enabled_.empty() && !interrupted_.empty()) {
    turn_ = nextTurn(events_, interrupted_, !spinning_.empty());
    if (turn_) enabled_ = {turn_->thread};
  }
  if (canWait) std::erase_if(enabled_, [&](ThreadId t) { return pending(t)->endsProcess(); });
}

std::vector<ThreadId> Execution::interrupted() const {
  std::vector<ThreadId> threads;
  std::ranges::copy_if(interrupted_, std::back_inserter(threads),
                       [&](ThreadId thread) { return !wentOnForLong(steps_, thread); });
  return threads;
}

std::vector<ThreadId> Execution::goingRound() const {
  std::vector<ThreadId> threads = spinning_;
  if (enabled_.empty()) threads.insert(threads.end(), interrupted_.begin(), interrupted_.end());
  return threads;
}

/// After the last event, as far as is known.
bool Execution::othersCanMove(ThreadId thread) const {
  for (std::uint32_t i = 0; i < state_.threadCount(); ++i) {
    ThreadId other{i};
    if (other == thread || !state_.alive(other) || isCut(other) || lost(other)) continue;
    const TransitionPtr& next = pending(other);
    if (!next || (canMove(*next, state_) && !heldBack(*next))) return true;
  }
  return false;
}

const TransitionPtr& Execution::pending(ThreadId thread) const {
  return index(thread) < pending_.size() ? pending_[index(thread)] : kNoTransition;
}

TransitionPtr Execution::pendingAs(ThreadId thread, std::uint32_t alternative) const {
  VisibleOp op = pending(thread)->visible();
  op.alternative = alternative;
  return make(op, state_);
}

bool Execution::isCut(ThreadId thread) const {
  return index(thread) < taken_.size() && taken_[index(thread)] >= depth_.thread && state_.alive(thread);
}

bool Execution::anyCut() const {
  for (std::uint32_t i = 0; i < state_.threadCount(); ++i)
    if (isCut(ThreadId{i})) return true;
  return false;
}

bool Execution::heldBack(const Transition& transition) const {
  return std::ranges::any_of(doomed_,
                             [&](std::size_t i) { return dependent(*events_[i].transition, transition); });
}

std::uint32_t Execution::runAhead(ThreadId thread) const {
  if (asksAlways_ || anyLost() || hasBusyLoop_ || wasInVain(thread) || events_.size() >= depth_.run) return 0;
  std::uint32_t taken = index(thread) < taken_.size() ? taken_[index(thread)] : 0;
  std::uint32_t left = depth_.run - static_cast<std::uint32_t>(events_.size());
  return taken >= depth_.thread ? 0 : std::min({left, depth_.thread - taken, kRunAhead});
}

}  // namespace mcmini
