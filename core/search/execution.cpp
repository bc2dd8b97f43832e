#include "core/search/execution.hpp"

#include <algorithm>

namespace mcmini {

namespace {

const TransitionPtr kNone;

/// Enough to ask whether there is something to say; the report asks again, with the user's names.
struct NoNames : Names {
  std::string thread(ThreadId) const override { return {}; }
  std::string object(ObjectId) const override { return {}; }
};

}  // namespace

bool isMisuse(const Transition& transition, const ModelState& state) {
  return transition.misuse(state, NoNames{}).has_value();
}

UnknownOperation::UnknownOperation(const VisibleOp& announced)
    : std::runtime_error("unknown operation " + std::string(announced.name)), op(announced) {}

Nondeterminism::Nondeterminism(std::size_t atStep, TransitionPtr wanted, TransitionPtr got)
    : std::runtime_error("the program does not repeat itself"),
      step(atStep),
      expected(std::move(wanted)),
      actual(std::move(got)) {}

void Execution::restart(const Branch& branch) {
  std::vector<Event> prefix(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(branch.keep));
  for (const TransitionPtr& transition : branch.then) prefix.push_back({transition, 0, false});
  events_.clear();
  state_ = initial_;
  pending_.clear();
  taken_.clear();
  doomed_.clear();
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    Event& event = prefix[i];
    if (i >= branch.keep) event.doomed = isMisuse(*event.transition, state_);
    Result result = event.transition->apply(state_);
    if (i < branch.keep && result != event.result)
      throw std::logic_error(std::string(event.transition->visible().name) +
                             " is not a function of the state");
    push(event.transition, result, event.doomed);
  }
  relaunch();
}

void Execution::relaunch() {
  stop_ = target_.launch(steps(), runAhead(mover()));
  compare();
  performed_ = events_.size() - doomed_.size();
  pending_.clear();
  announceAll();
}

void Execution::compare() const {
  std::size_t performed = 0;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].doomed) continue;
    const TransitionPtr& expected = events_[i].transition;
    if (performed >= target_.taken()) throw Nondeterminism(i, expected, nullptr);
    VisibleOp actual = target_.takenOp(performed++);
    if (!(actual == expected->visible())) throw Nondeterminism(i, expected, make(actual));
  }
  if (stop_.kind == Stop::Kind::Diverged) throw Nondeterminism(events_.size(), nullptr, nullptr);
}

void Execution::step(ThreadId thread) {
  TransitionPtr transition = pending(thread);
  if (!transition || !transition->enabled(state_))
    throw std::logic_error("a thread was told to move that cannot");
  Result result = transition->apply(state_);
  push(transition, result, false);
  if (target_.taken() > performed_) {
    if (target_.takenOp(performed_).thread != thread || result != 0)
      throw std::logic_error(std::string(transition->visible().name) +
                             " was taken as an operation that does not " +
                             "wait and returns 0, but its model says otherwise");
  } else {
    stop_ = target_.resume({thread, result}, runAhead(thread));
    if (stop_.kind == Stop::Kind::Diverged) throw Nondeterminism(events_.size(), nullptr, nullptr);
  }
  ++performed_;
  announceAll();
}

void Execution::doomLast() {
  events_.back().doomed = true;
  doomed_.push_back(events_.size() - 1);
  relaunch();
}

void Execution::doom(ThreadId thread) {
  TransitionPtr transition = pending(thread);
  push(transition, transition->apply(state_), true);
}

const Stop& Execution::stop() const {
  static const Stop waiting{};
  return performed_ < target_.taken() ? waiting : stop_;
}

void Execution::push(const TransitionPtr& transition, Result result, bool doomed) {
  if (doomed) doomed_.push_back(events_.size());
  events_.push_back({transition, result, doomed});
  std::uint32_t thread = index(transition->thread());
  if (thread >= taken_.size()) taken_.resize(thread + 1);
  ++taken_[thread];
}

/// Threads other than the one that moved keep what they announced before.
void Execution::announceAll() {
  pending_.resize(state_.threadCount());
  if (!events_.empty()) pending_[index(mover())] = nullptr;
  for (std::uint32_t i = 0; i < state_.threadCount(); ++i)
    if (!pending_[i]) announce(ThreadId{i});
  refreshEnabled();
}

void Execution::announce(ThreadId thread) {
  if (!state_.alive(thread) || isCut(thread) || lost(thread)) return;
  if (performed_ < target_.taken()) {  // the mover ran ahead
    VisibleOp next = target_.takenOp(performed_);
    if (next.thread == thread) {
      pending_[index(thread)] = make(next);
      return;
    }
  }
  bool down = stop_.kind != Stop::Kind::Waiting && stop_.thread == thread;
  if (!down && stop_.kind != Stop::Kind::Exited) pending_[index(thread)] = make(target_.pending(thread));
}

/// Did something doomed happen to the thread?
bool Execution::lost(ThreadId thread) const {
  return std::ranges::any_of(doomed_,
                             [&](std::size_t i) { return events_[i].transition->thread() == thread; });
}

TransitionPtr Execution::make(const VisibleOp& op) const {
  const Catalog::Operation* known = catalog_.find(op.op);
  if (known == nullptr) throw UnknownOperation(op);
  return known->make(op, state_);
}

void Execution::refreshEnabled() {
  enabled_.clear();
  bool canWait = false;
  for (const TransitionPtr& transition : pending_)
    if (transition && transition->enabled(state_) && !heldBack(*transition)) {
      enabled_.push_back(transition->thread());
      canWait |= !transition->endsProcess();
    }
  if (canWait) std::erase_if(enabled_, [&](ThreadId t) { return pending(t)->endsProcess(); });
}

std::vector<Step> Execution::steps() const {
  std::vector<Step> steps;
  steps.reserve(events_.size());
  for (const Event& event : events_)
    if (!event.doomed) steps.push_back({event.transition->thread(), event.result});
  return steps;
}

const TransitionPtr& Execution::pending(ThreadId thread) const {
  return index(thread) < pending_.size() ? pending_[index(thread)] : kNone;
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
  if (!doomed_.empty() || events_.size() >= depth_.run) return 0;
  std::uint32_t taken = index(thread) < taken_.size() ? taken_[index(thread)] : 0;
  std::uint32_t left = depth_.run - static_cast<std::uint32_t>(events_.size());
  return taken >= depth_.thread ? 0 : std::min(left, depth_.thread - taken);
}

}  // namespace mcmini
