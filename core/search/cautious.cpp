#include "core/search/strategy.hpp"

namespace mcmini {

namespace {

/// The optimal search plans several steps ahead, from what threads did before. Where they do something else
/// then, since they learn from each other out of sight, the search of the papers gets to other orders: it
/// plans one step, of which it has seen that it can be taken. Neither covers the other there.
class Cautious : public Strategy {
 public:
  std::optional<Branch> next() override { return search_->next(); }
  std::optional<ThreadId> choose(const Execution& run) override { return search_->choose(run); }
  std::optional<std::uint32_t> patience() const override { return search_->patience(); }
  std::uint32_t alternative() const override { return search_->alternative(); }
  void learn(const Execution& run) override { search_->learn(run); }
  void forget() override { search_->forget(); }
  double done() const override { return search_->done(); }
  bool giveWay() override {
    if (hasGivenWay_) return false;
    hasGivenWay_ = true;
    search_ = makeDpor();
    return true;
  }

 private:
  std::unique_ptr<Strategy> search_ = makeOptimal();
  bool hasGivenWay_ = false;
};

}  // namespace

std::unique_ptr<Strategy> makeCautious() {
  return std::make_unique<Cautious>();
}

}  // namespace mcmini
