#include "core/search/trials.hpp"

#include <algorithm>

namespace mcmini {

namespace {

constexpr std::uint64_t kRuns = 200;       // to find a point of no return
constexpr std::size_t kSteps = 40'000;     // all of them together
constexpr std::uint32_t kMoreSteps = 200;  // than twice those of the run in question

/// A trial has shown what it was to show.
struct Settled {};

/// Gives up a run in which a thread reaches no operation for a while: that takes long, and others would, too.
class Impatient : public Strategy {
 public:
  explicit Impatient(Strategy& strategy) : strategy_(strategy) {}

  std::optional<Branch> next() override { return strategy_.next(); }
  std::optional<ThreadId> choose(const Execution& run) override {
    return run.everInterrupted() ? std::nullopt : strategy_.choose(run);
  }
  std::uint32_t alternative() const override { return strategy_.alternative(); }
  void learn(const Execution& run) override { strategy_.learn(run); }
  void forget() override { strategy_.forget(); }

 private:
  Strategy& strategy_;
};

/// One run, in a given order as far as that is possible.
class Guide : public Strategy {
 public:
  explicit Guide(const Order& order) : order_(order) {}

  std::optional<Branch> next() override {
    return std::exchange(started_, true) ? std::nullopt : std::optional(Branch{});
  }

  std::optional<ThreadId> choose(const Execution& run) override {
    while (at_ < order_.size()) {
      const Move& move = order_[at_++];
      if (std::ranges::count(run.enabled(), move.thread) == 0) continue;
      alternative_ = move.alternative < run.pending(move.thread)->choices() ? move.alternative : 0;
      return move.thread;
    }
    alternative_ = 0;
    return preferred(run, [](ThreadId) { return true; });
  }
  std::uint32_t alternative() const override { return alternative_; }

  void learn(const Execution&) override {}
  void forget() override {
    started_ = false;
    at_ = 0;
  }

 private:
  const Order& order_;
  std::size_t at_ = 0;
  std::uint32_t alternative_ = 0;
  bool started_ = false;
};

/// Waits for a bug.
struct Lookout : Observer {
  explicit Lookout(const std::string& wanted) : key(wanted) {}

  void onFinding(const Finding& finding) override {
    if (finding.key() == key) found = finding;
    if (finding.race && !found) return;  // there may be more of them in a run
    gotStuck = finding.kind == Finding::Kind::Stuck;
    throw Settled{};
  }

  bool gotStuck = false;
  const std::string& key;
  std::optional<Finding> found;
};

/// Waits for a run that ends well.
struct Hope : Observer {
  void onFinding(const Finding& finding) override {
    if (finding.kind == Finding::Kind::Stuck) throw Settled{};  // each costs a whole time-out
  }

  void onRunEnd(const Execution& run, Ending ending, const Summary&) override {
    const Stop& stop = run.stop();
    bool ended = ending == Ending::Complete || ending == Ending::Exited;
    fulfilled = ended && stop.kind == Stop::Kind::Exited && stop.status == 0 && !run.anyLost();
    if (fulfilled || run.everInterrupted()) throw Settled{};
  }

  bool fulfilled = false;
};

bool sawEverything(const Summary& summary) {
  return summary.cut == Cut::None && summary.blocked == 0 && !summary.threadDepthMet &&
         !summary.runDepthMet && !summary.isPartial() && !summary.interrupted && summary.cutLoop == 0;
}

}  // namespace

std::optional<Finding> Trials::follow(const Order& order, const std::string& key) {
  if (takesLong_) return std::nullopt;
  Limits limits = limits_;
  limits.traces = 1;
  limits.runDepth = std::min(limits.runDepth, 2 * static_cast<std::uint32_t>(order.size()) + kMoreSteps);
  Guide guide(order);
  Impatient strategy(guide);
  Lookout lookout(key);
  Explorer explorer(target_, run_, strategy, limits, lookout);
  try {
    explorer.run();
  } catch (const Settled&) {
    // it has been seen
  }
  takesLong_ = lookout.gotStuck || explorer.lastRun().everInterrupted();
  return lookout.found;
}

std::optional<bool> Trials::canEndWell(const Order& beginning, Budget& budget) {
  if (takesLong_) return std::nullopt;
  auto optimal = makeOptimal(beginning);
  Impatient strategy(*optimal);
  Hope hope;
  Limits limits = limits_;
  limits.traces = budget.runs;
  limits.firstBugOnly = false;
  limits.runDepth = static_cast<std::uint32_t>(std::min<std::uint64_t>(limits.runDepth, budget.steps));
  Explorer explorer(target_, run_, strategy, limits, hope);
  const Summary& summary = explorer.summary();
  limits.timeIsUp = [&] { return summary.transitions > budget.steps || limits_.timeIsUp(); };
  bool settled = false;
  try {
    explorer.run();
  } catch (const Settled&) {
    settled = true;
  }
  budget.runs -= std::min(budget.runs, summary.traces);
  budget.steps -= std::min(budget.steps, summary.transitions);
  if (hope.fulfilled) return true;
  return !settled && sawEverything(summary) ? std::optional(false) : std::nullopt;
}

std::optional<std::size_t> pointOfNoReturn(const Finding& found, Trials& trials) {
  if (!canBeFollowed(found) || found.kind == Finding::Kind::Exit || found.leftBehind || found.race)
    return std::nullopt;
  Order order = orderOf(found.events);
  Budget budget{kRuns, kSteps};
  auto endsWell = [&](std::size_t steps) {
    return trials.canEndWell({order.begin(), order.begin() + static_cast<std::ptrdiff_t>(steps)}, budget);
  };
  std::size_t hopeful = 0;
  std::size_t lost = order.size();
  for (std::size_t back = 1;; back *= 2) {  // from the end: there are few ways to go on from there
    std::size_t steps = order.size() - std::min(order.size(), back);
    auto well = endsWell(steps);
    if (!well || (!*well && steps == 0)) return std::nullopt;
    (*well ? hopeful : lost) = steps;
    if (*well) break;
  }
  while (lost - hopeful > 1) {
    std::size_t middle = hopeful + (lost - hopeful) / 2;
    auto well = endsWell(middle);
    if (!well) return std::nullopt;
    (*well ? hopeful : lost) = middle;
  }
  return hopeful;
}

}  // namespace mcmini
