#include <algorithm>
#include <utility>

#include "core/search/happens_before.hpp"
#include "core/search/share.hpp"
#include "core/search/strategy.hpp"

namespace mcmini {

namespace {

/// Does one of them belong to the thread?
bool of(const std::vector<TransitionPtr>& transitions, ThreadId thread) {
  return std::ranges::any_of(transitions, [&](const TransitionPtr& t) { return t->thread() == thread; });
}

/// Dynamic partial-order reduction as Flanagan and Godefroid described it (POPL 2005), with sleep sets, clock
/// vectors and the co-enabled test. Kept for comparison and for teaching: it finds the same bugs as the
/// optimal search, in more runs, some of which sleep sets give up half-way.
class Dpor : public Strategy {
 public:
  std::optional<Branch> next() override;
  std::optional<ThreadId> choose(const Execution& run) override;
  void learn(const Execution& run) override;
  void forget() override { *this = {}; }
  double done() const override {
    return started_ ? doneShare(path_, [](const Node& node) { return node.backtrack.size(); }) : 0;
  }

 private:
  struct Node {
    std::vector<TransitionPtr> enabled;  ///< In all ways that they can go.
    std::vector<TransitionPtr> sleep;
    std::vector<TransitionPtr> backtrack;  ///< What must be tried from here; the first is being tried.
    Share share;

    bool sleeps(ThreadId thread) const { return of(sleep, thread) && !of(backtrack, thread); }
    /// The thread is to be tried, in all ways.
    void add(ThreadId thread) {
      if (of(backtrack, thread)) return;
      std::ranges::copy_if(enabled, std::back_inserter(backtrack),
                           [&](const TransitionPtr& t) { return t->thread() == thread; });
    }
  };

  void inherit(Node& node) const;
  void reverse(const Transition& next);
  void addBacktrack(std::size_t first, const Transition& next);

  std::vector<Node> path_;
  HappensBefore order_;
  bool started_ = false;
};

std::optional<Branch> Dpor::next() {
  if (!std::exchange(started_, true)) return Branch{};
  for (; !path_.empty(); path_.pop_back()) {
    Node& node = path_.back();
    node.share.leave(node.backtrack.size());
    node.sleep.push_back(std::move(node.backtrack.front()));
    node.backtrack.erase(node.backtrack.begin());
    if (node.backtrack.empty()) continue;
    order_.truncate(path_.size() - 1);
    return Branch{path_.size() - 1, {{node.backtrack.front(), false}}};
  }
  return std::nullopt;
}

void Dpor::inherit(Node& node) const {
  if (path_.empty()) return;
  const Node& last = path_.back();
  const TransitionPtr& taken = last.backtrack.front();
  std::ranges::copy_if(last.sleep, std::back_inserter(node.sleep),
                       [&](const TransitionPtr& asleep) { return !dependent(*asleep, *taken); });
}

std::optional<ThreadId> Dpor::choose(const Execution& run) {
  Node node;
  inherit(node);
  auto enable = [&](ThreadId thread) {
    for (TransitionPtr& way : waysOf(run, thread)) node.enabled.push_back(std::move(way));
  };
  std::ranges::for_each(run.enabled(), enable);
  auto chosen = preferred(run, [&](ThreadId thread) { return !of(node.sleep, thread); });
  if (!chosen) return std::nullopt;
  if (!of(node.enabled, *chosen)) enable(*chosen);
  node.add(*chosen);
  path_.push_back(std::move(node));
  return chosen;
}

void Dpor::learn(const Execution& run) {
  std::size_t known = order_.size();
  for (std::size_t i = order_.size(); i < run.events().size(); ++i) {
    reverse(*run.events()[i].transition);
    order_.append(run.events()[i].transition);
  }
  for (std::uint32_t i = 0; i < run.state().threadCount(); ++i)
    if (const TransitionPtr& pending = run.pending(ThreadId{i})) reverse(*pending);
  for (std::size_t i = known; i < path_.size(); ++i) {
    Node& node = path_[i];
    node.share.rivals = order_.rivals(i, [&](ThreadId thread) { return !node.sleeps(thread); });
  }
}

/// The paper looks, in each state, for the last race of each thread's next operation. An operation is next
/// from the moment its thread arrived at it, so each race since then was the last one in some state, and of
/// those before only the last one counts.
void Dpor::reverse(const Transition& next) {
  const auto& own = order_.of(next.thread());
  for (std::size_t first : order_.races(next)) {
    addBacktrack(first, next);
    if (!own.empty() && first < own.back()) return;
  }
}

/// The paper tries the thread of the second operation, or one that it had to wait for. Where sleep sets
/// forbid that, one that could begin the reversed order does as well; if all of these sleep, the reversed
/// order has been seen.
void Dpor::addBacktrack(std::size_t first, const Transition& next) {
  Node& node = path_[first];
  if (of(node.enabled, next.thread()) && !node.sleeps(next.thread())) return node.add(next.thread());
  std::vector<std::size_t> rest = order_.independentOf(first);
  for (const TransitionPtr& candidate : node.enabled) {
    const auto& own = order_.of(candidate->thread());
    auto begins = std::ranges::upper_bound(own, first);
    if (node.sleeps(candidate->thread()) || begins == own.end()) continue;
    bool couldBegin =
        std::ranges::none_of(rest, [&](std::size_t i) { return i < *begins && order_.ordered(i, *begins); });
    if (couldBegin && std::ranges::count(rest, *begins) > 0) return node.add(candidate->thread());
  }
}

}  // namespace

std::unique_ptr<Strategy> makeDpor() {
  return std::make_unique<Dpor>();
}

}  // namespace mcmini
