#include <algorithm>
#include <utility>

#include "core/search/share.hpp"
#include "core/search/strategy.hpp"

namespace mcmini {

namespace {

/// Every interleaving, one by one: the oracle for small programs.
class Naive : public Strategy {
 public:
  std::optional<Branch> next() override {
    if (!std::exchange(started_, true)) return Branch{};
    for (; !path_.empty(); path_.pop_back()) {
      auto& [untried, share] = path_.back();
      share.leave(untried.size());
      untried.pop_back();
      if (!untried.empty()) return Branch{path_.size() - 1, {{untried.back(), false}}};
    }
    return std::nullopt;
  }

  std::optional<ThreadId> choose(const Execution& run) override {
    auto& untried = path_.emplace_back().untried;
    for (ThreadId thread : run.enabled())
      for (const TransitionPtr& way : waysOf(run, thread)) untried.push_back(way);
    auto chosen = preferred(run, [](ThreadId) { return true; });
    auto at = std::ranges::find_if(untried, [&](const auto& t) { return t->thread() == *chosen; });
    std::iter_swap(at, untried.end() - 1);
    return chosen;
  }

  void learn(const Execution&) override {}
  void forget() override { *this = {}; }
  double done() const override {
    return started_ ? doneShare(path_, [](const Node& node) { return node.untried.size(); }) : 0;
  }

 private:
  struct Node {
    std::vector<TransitionPtr> untried;  ///< The current one last.
    Share share;
  };

  std::vector<Node> path_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Strategy> makeNaive() {
  return std::make_unique<Naive>();
}

}  // namespace mcmini
