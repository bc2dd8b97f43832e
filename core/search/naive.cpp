#include <algorithm>
#include <functional>
#include <utility>

#include "core/search/strategy.hpp"

namespace mcmini {

namespace {

/// Every interleaving, one by one: the oracle for small programs.
class Naive : public Strategy {
 public:
  std::optional<Branch> next() override {
    if (!std::exchange(started_, true)) return Branch{};
    for (; !path_.empty(); path_.pop_back()) {
      auto& [untried, all] = path_.back();
      untried.pop_back();
      if (!untried.empty()) return Branch{path_.size() - 1, {{untried.back(), false}}};
    }
    return std::nullopt;
  }

  std::optional<ThreadId> choose(const Execution& run) override {
    auto& [untried, all] = path_.emplace_back();
    for (ThreadId thread : run.enabled()) untried.push_back(run.pending(thread));
    all = untried.size();
    auto chosen = preferred(run, [](ThreadId) { return true; });
    auto at = std::ranges::find_if(untried, [&](const auto& t) { return t->thread() == *chosen; });
    std::iter_swap(at, untried.end() - 1);
    return chosen;
  }

  void learn(const Execution&) override {}
  void forget() override { *this = {}; }
  double done() const override {
    auto tried = [](const Node& node) { return node.all - node.untried.size(); };
    return started_ ? shareDone(path_, tried, std::mem_fn(&Node::all)) : 0;
  }

 private:
  struct Node {
    std::vector<TransitionPtr> untried;  ///< The current one last.
    std::size_t all = 0;
  };

  std::vector<Node> path_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Strategy> makeNaive() {
  return std::make_unique<Naive>();
}

}  // namespace mcmini
