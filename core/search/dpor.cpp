#include <algorithm>
#include <utility>

#include "core/search/happens_before.hpp"
#include "core/search/share.hpp"
#include "core/search/strategy.hpp"

namespace mcmini {

namespace {

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
    std::vector<TransitionPtr> enabled;
    std::vector<TransitionPtr> sleep;
    std::vector<ThreadId> backtrack;  ///< Threads that must be tried from here; the first is being tried.
    Share share;
  };

  void inherit(Node& node) const;
  void reverse(const Transition& next);
  void addBacktrack(std::size_t first, const Transition& next);

  std::vector<Node> path_;
  HappensBefore order_;
  bool started_ = false;
};

const TransitionPtr& of(const std::vector<TransitionPtr>& transitions, ThreadId thread) {
  static const TransitionPtr none;
  auto at = std::ranges::find_if(transitions, [&](const TransitionPtr& t) { return t->thread() == thread; });
  return at == transitions.end() ? none : *at;
}

std::optional<Branch> Dpor::next() {
  if (!std::exchange(started_, true)) return Branch{};
  for (; !path_.empty(); path_.pop_back()) {
    Node& node = path_.back();
    node.share.leave(node.backtrack.size());
    node.sleep.push_back(of(node.enabled, node.backtrack.front()));
    std::erase_if(node.backtrack, [&](ThreadId thread) { return of(node.sleep, thread) != nullptr; });
    if (node.backtrack.empty()) continue;
    order_.truncate(path_.size() - 1);
    return Branch{path_.size() - 1, {{of(node.enabled, node.backtrack.front()), false}}};
  }
  return std::nullopt;
}

void Dpor::inherit(Node& node) const {
  if (path_.empty()) return;
  const Node& last = path_.back();
  const TransitionPtr& taken = of(last.enabled, last.backtrack.front());
  std::ranges::copy_if(last.sleep, std::back_inserter(node.sleep),
                       [&](const TransitionPtr& asleep) { return !dependent(*asleep, *taken); });
}

std::optional<ThreadId> Dpor::choose(const Execution& run) {
  Node node;
  inherit(node);
  for (ThreadId thread : run.enabled()) node.enabled.push_back(run.pending(thread));
  auto chosen = preferred(run, [&](ThreadId thread) { return of(node.sleep, thread) == nullptr; });
  if (!chosen) return std::nullopt;
  if (of(node.enabled, *chosen) == nullptr) node.enabled.push_back(run.pending(*chosen));
  node.backtrack.push_back(*chosen);
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
    node.share.rivals = order_.rivals(i, [&](ThreadId thread) { return of(node.sleep, thread) == nullptr; });
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
  auto add = [&](ThreadId thread) {
    if (std::ranges::count(node.backtrack, thread) == 0) node.backtrack.push_back(thread);
  };
  auto awake = [&](ThreadId thread) { return of(node.sleep, thread) == nullptr; };
  if (of(node.enabled, next.thread()) && awake(next.thread())) return add(next.thread());
  std::vector<std::size_t> rest = order_.independentOf(first);
  for (const TransitionPtr& candidate : node.enabled) {
    const auto& own = order_.of(candidate->thread());
    auto begins = std::ranges::upper_bound(own, first);
    if (!awake(candidate->thread()) || begins == own.end()) continue;
    bool couldBegin =
        std::ranges::none_of(rest, [&](std::size_t i) { return i < *begins && order_.ordered(i, *begins); });
    if (couldBegin && std::ranges::count(rest, *begins) > 0) return add(candidate->thread());
  }
}

}  // namespace

std::unique_ptr<Strategy> makeDpor() {
  return std::make_unique<Dpor>();
}

}  // namespace mcmini
