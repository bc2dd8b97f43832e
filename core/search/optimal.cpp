#include <algorithm>
#include <set>
#include <utility>

#include "core/search/happens_before.hpp"
#include "core/search/share.hpp"
#include "core/search/strategy.hpp"
#include "core/search/wakeup_tree.hpp"

namespace mcmini {

namespace {

/// Optimal dynamic partial-order reduction: one run for each Mazurkiewicz trace, and none that is given up.
/// Follows Abdulla, Aronis, Jonsson and Sagonas, with races between all dependent pairs, blocked threads
/// included, and reversals that are checked on the model before they are planned.
class Optimal : public Strategy {
 public:
  explicit Optimal(Moves beginning = {}) : beginning_(std::move(beginning)) {}

  std::optional<Branch> next() override;
  std::optional<ThreadId> choose(const Execution& run) override;
  std::uint32_t alternative() const override {
    return path_.back().tree.children.front().planned.transition->visible().alternative;
  }
  void learn(const Execution& run) override;
  void forget() override { *this = Optimal(std::move(beginning_)); }
  double done() const override {
    return started_ ? doneShare(path_, [](const Node& node) { return node.tree.children.size(); }) : 0;
  }

 private:
  /// A place on the current path. The first child of its tree is the event that was taken there.
  struct Node {
    std::vector<TransitionPtr>
        sleep;  ///< What was explored from here, or before: not to be taken first again.
    WakeupTree tree;
    Share share;
  };

  /// The events before `first`, then `sequence`: a trace that has not been seen in this run.
  struct Reversal {
    std::size_t first;
    std::vector<Planned> sequence;
    std::vector<std::size_t> known;  ///< Indices of all but the last of the sequence.
  };

  using Tried = std::set<std::vector<std::size_t>>;

  Branch follow();
  void enter();
  void collect(const Execution& run, const TransitionPtr& next, const std::vector<std::size_t>& races);
  void plan(const Execution& run);
  bool mayBeShorter(const Execution& run, const Reversal& reversal) const;
  bool settle(const Execution& run, const ModelState& state, Reversal& reversal);
  void planShorter(const Execution& run, const ModelState& state, const Reversal& reversal, Tried& tried);
  Reversal without(const Reversal& reversal, std::size_t event) const;
  Reversal withoutFutile(const Execution& run, ModelState state, const Reversal& reversal) const;
  bool leadsToLast(const Reversal& reversal, std::size_t event) const;
  bool isKnown(const Reversal& reversal) const;
  bool happensAfter(std::size_t event, std::size_t earlier) const {
    return event >= earlier && order_.ordered(earlier, event);
  }

  std::vector<Node> path_;
  HappensBefore order_;
  std::vector<std::vector<std::size_t>> races_;  // of each event of the run, as indices of earlier events
  std::vector<Reversal> reversals_;
  Moves beginning_;  // the first steps, in every run
  bool started_ = false;
};

Planned asPlanned(const Event& event) {
  return {event.transition, event.doomed, event.last, event.work};
}

bool sleeps(const std::vector<TransitionPtr>& sleep, ThreadId thread) {
  return std::ranges::any_of(sleep, [&](const TransitionPtr& t) { return t->thread() == thread; });
}

std::optional<Branch> Optimal::next() {
  if (!std::exchange(started_, true)) return Branch{};
  while (!path_.empty()) {
    Node& node = path_.back();
    node.share.leave(node.tree.children.size());
    node.sleep.push_back(std::move(node.tree.children.front().planned.transition));
    node.tree.children.erase(node.tree.children.begin());
    if (!node.tree.children.empty()) return follow();
    path_.pop_back();
  }
  return std::nullopt;
}

/// The way from the last node of the path down the first children of its tree.
Branch Optimal::follow() {
  Branch branch{path_.size() - 1, {}};
  order_.truncate(branch.keep);
  while (true) {
    branch.then.push_back(path_.back().tree.children.front().planned);
    if (path_.back().tree.children.front().below.children.empty()) return branch;
    enter();
  }
}

/// Adds the node behind the last one's first child.
void Optimal::enter() {
  Node node;
  if (!path_.empty()) {
    Node& last = path_.back();
    WakeupTree::Child& child = last.tree.children.front();
    std::ranges::copy_if(last.sleep, std::back_inserter(node.sleep), [&](const TransitionPtr& asleep) {
      return !dependent(*asleep, *child.planned.transition);
    });
    node.tree = std::move(child.below);
    child.below = {};
  }
  path_.push_back(std::move(node));
}

std::optional<ThreadId> Optimal::choose(const Execution& run) {
  std::size_t at = path_.size();
  enter();
  Node& node = path_.back();
  auto isAllowed = [&](ThreadId thread) {
    return at < beginning_.size() ? thread == beginning_[at].thread : !sleeps(node.sleep, thread);
  };
  auto chosen = preferred(run, isAllowed);
  if (!chosen) {
    path_.pop_back();
    return chosen;
  }
  for (TransitionPtr& way : waysOf(run, *chosen))
    if (at >= beginning_.size() || way->visible().alternative == beginning_[at].alternative)
      node.tree.children.push_back({{std::move(way), false}, {}});
  return chosen;
}

/// What could come before the first event of a race is a matter of the whole run, so the races of the shared
/// prefix are looked at again: with another end of the run, one that was redundant before may not be so now.
void Optimal::learn(const Execution& run) {
  races_.resize(order_.size());
  std::size_t known = order_.size();
  for (std::size_t i = order_.size(); i < run.events().size(); ++i) {
    races_.push_back(order_.races(*run.events()[i].transition));
    order_.append(run.events()[i].transition);
  }
  for (std::size_t i = 0; i < races_.size(); ++i) collect(run, run.events()[i].transition, races_[i]);
  for (std::uint32_t i = 0; i < run.state().threadCount(); ++i)
    if (const TransitionPtr& pending = run.pending(ThreadId{i}))
      for (const TransitionPtr& way : waysOf(run, ThreadId{i})) collect(run, way, order_.races(*pending));
  plan(run);
  for (std::size_t i = known; i < path_.size(); ++i) {
    Node& node = path_[i];
    node.share.rivals = order_.rivals(i, [&](ThreadId thread) { return !sleeps(node.sleep, thread); });
  }
}

void Optimal::collect(const Execution& run, const TransitionPtr& next,
                      const std::vector<std::size_t>& races) {
  for (std::size_t first : races) {
    bool comesLast = next->endsProcess() && !run.events()[first].transition->endsProcess();
    if (first < beginning_.size() || comesLast) continue;
    Reversal reversal{first, {}, order_.independentOf(first)};
    // The end of the process comes last, and nothing comes after a doomed event that it depends on.
    std::erase_if(reversal.known, [&](std::size_t i) {
      const Event& event = run.events()[i];
      return event.transition->endsProcess() || (event.doomed && dependent(*event.transition, *next));
    });
    for (std::size_t i : reversal.known) reversal.sequence.push_back(asPlanned(run.events()[i]));
    reversal.sequence.push_back({next, false});
    if (next->isConditional() || mayBeShorter(run, reversal) || !isKnown(reversal))
      reversals_.push_back(std::move(reversal));
  }
}

/// What others do that the last step depends on may keep it from being taken; the sequence is another one
/// then.
bool Optimal::mayBeShorter(const Execution& run, const Reversal& reversal) const {
  const Transition& last = *reversal.sequence.back().transition;
  return std::ranges::any_of(reversal.known, [&](std::size_t i) {
    const Transition& other = *run.events()[i].transition;
    return other.thread() != last.thread() && dependent(other, last) && !leadsToLast(reversal, i);
  });
}

/// Has a run done the sequence, or is it going to?
bool Optimal::isKnown(const Reversal& reversal) const {
  const Node& node = path_[reversal.first];
  bool redundant = std::ranges::any_of(
      node.sleep, [&](const TransitionPtr& q) { return placeAsFirst(reversal.sequence, *q).has_value(); });
  return redundant || node.tree.covers(reversal.sequence);
}

/// Can the model, from this state, do what the reversal wants? None of its steps may begin a futile round in
/// a loop, as one can where what used to come in between comes later.
bool feasible(const Execution& run, ModelState state, std::size_t first, const std::vector<Planned>& sequence,
              const std::vector<std::size_t>& known) {
  std::vector<Taken> steps(run.taken().begin(), run.taken().begin() + static_cast<std::ptrdiff_t>(first));
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (sequence[i].doomed) continue;
    const Transition& next = *sequence[i].transition;
    if (!canMove(next, state) || run.spins(steps, state, next)) return false;
    Result result = next.apply(state);
    if (i < known.size() && result != run.events()[known[i]].result) return false;
    steps.push_back({&next, result});
  }
  return true;
}

/// What the last step finds: nothing matters to it but what is done to its objects.
ModelState beforeLast(ModelState state, const std::vector<Planned>& sequence) {
  const Transition& last = *sequence.back().transition;
  for (const Planned& step : sequence)
    if (step.transition.get() != &last && !step.doomed && shareObject(*step.transition, last))
      step.transition->apply(state);
  return state;
}

bool lastIsEnabled(const ModelState& state, const std::vector<Planned>& sequence) {
  const Transition& last = *sequence.back().transition;
  return state.mayMove(last.thread()) && last.enabled(beforeLast(state, sequence));
}

void Optimal::plan(const Execution& run) {
  std::ranges::stable_sort(reversals_, {}, &Reversal::first);
  ModelState state = run.initial();
  std::size_t reached = 0;
  for (Reversal& reversal : reversals_) {
    for (; reached < reversal.first; ++reached)
      if (!run.events()[reached].doomed) run.events()[reached].transition->apply(state);
    auto spoilt = [&](std::size_t doomed) {
      return doomed < reversal.first &&
             dependent(*run.events()[doomed].transition, *reversal.sequence.back().transition);
    };
    if (std::ranges::any_of(run.doomed(), spoilt)) continue;
    if (settle(run, state, reversal)) continue;
    if (run.knowsLoops()) {
      reversal = withoutFutile(run, state, reversal);
      if (settle(run, state, reversal)) continue;
    }
    Tried tried;
    planShorter(run, state, reversal, tried);
  }
  reversals_.clear();
}

/// Plans the reversal, unless it is known; false if it cannot be done. Without the first event of the race,
/// the last step may be another one than in the run. The others are not: they do not happen after it.
bool Optimal::settle(const Execution& run, const ModelState& state, Reversal& reversal) {
  TransitionPtr& last = reversal.sequence.back().transition;
  if (last->isConditional()) last = asIn(beforeLast(state, reversal.sequence), last);
  if (isKnown(reversal)) return lastIsEnabled(state, reversal.sequence);
  if (!feasible(run, state, reversal.first, reversal.sequence, reversal.known)) return false;
  path_[reversal.first].tree.insert(std::move(reversal.sequence));
  return true;
}

/// Several events that have nothing to do with one another may each keep the last step from being taken. Then
/// it has to come before all of those, not just before the first.
void Optimal::planShorter(const Execution& run, const ModelState& state, const Reversal& reversal,
                          Tried& tried) {
  for (std::size_t event : reversal.known) {
    if (!dependent(*run.events()[event].transition, *reversal.sequence.back().transition) ||
        leadsToLast(reversal, event))
      continue;
    Reversal shorter = without(reversal, event);
    if (tried.insert(shorter.known).second && !settle(run, state, shorter))
      planShorter(run, state, shorter, tried);
  }
}

/// Does the thread of the last step come to it after the event only?
bool Optimal::leadsToLast(const Reversal& reversal, std::size_t event) const {
  ThreadId thread = reversal.sequence.back().transition->thread();
  for (std::size_t i = 0; i < reversal.known.size(); ++i)
    if (reversal.sequence[i].transition->thread() == thread && happensAfter(reversal.known[i], event))
      return true;
  return false;
}

/// The same without an event, and without all that happens after it.
Optimal::Reversal Optimal::without(const Reversal& reversal, std::size_t event) const {
  Reversal shorter{reversal.first, {}, {}};
  for (std::size_t i = 0; i < reversal.known.size(); ++i) {
    std::size_t other = reversal.known[i];
    if (happensAfter(other, event)) continue;
    shorter.known.push_back(other);
    shorter.sequence.push_back(reversal.sequence[i]);
  }
  shorter.sequence.push_back(reversal.sequence.back());
  return shorter;
}

/// The same without rounds of a loop that would be futile, now that what used to come in between comes later:
/// a thread that works for ever beside the others must not keep them from being put into another order.
Optimal::Reversal Optimal::withoutFutile(const Execution& run, ModelState state,
                                         const Reversal& reversal) const {
  std::vector<Taken> steps(run.taken().begin(),
                           run.taken().begin() + static_cast<std::ptrdiff_t>(reversal.first));
  std::vector<std::size_t> left;  // out
  Reversal rest{reversal.first, {}, {}};
  for (std::size_t i = 0; i < reversal.known.size(); ++i) {
    std::size_t event = reversal.known[i];
    const Planned& planned = reversal.sequence[i];
    const Transition& next = *planned.transition;
    if (std::ranges::any_of(left, [&](std::size_t gone) { return happensAfter(event, gone); })) continue;
    if (!planned.doomed && next.enabled(state) && run.spins(steps, state, next) &&
        !leadsToLast(reversal, event)) {
      left.push_back(event);
      continue;
    }
    if (!planned.doomed && next.enabled(state)) steps.push_back({&next, next.apply(state)});
    rest.known.push_back(event);
    rest.sequence.push_back(planned);
  }
  rest.sequence.push_back(reversal.sequence.back());
  return rest;
}

}  // namespace

std::unique_ptr<Strategy> makeOptimal(Moves beginning) {
  return std::make_unique<Optimal>(std::move(beginning));
}

}  // namespace mcmini
