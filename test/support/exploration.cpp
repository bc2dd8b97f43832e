#include "test/support/exploration.hpp"

#include <algorithm>

#include "test/support/brute_force.hpp"
#include "test/support/scripted_target.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {

namespace {

class Collector : public Observer {
 public:
  Collector(Exploration& into, Labels& labels, const Strategy& strategy)
      : into_(into), builder_(labels), strategy_(strategy) {}

  void onFinding(const Finding& finding) override { into_.findings.push_back(finding); }

  void onThreadsLeft(const Execution&, const std::vector<TransitionPtr>& waiting) override {
    for (const TransitionPtr& transition : waiting) into_.left.push_back(transition->thread());
  }

  void onRunEnd(const Execution& run, Ending ending, const Summary&) override {
    into_.done.push_back(strategy_.done());
    if (ending == Ending::Redundant) return;
    builder_.clear();
    for (const Event& event : run.events()) builder_.push(event.transition);
    into_.traces.push_back(builder_.trace());
    into_.endings.push_back(ending);
    if (ending == Ending::Deadlock) into_.deadlocks.insert(into_.traces.back());
  }

 private:
  Exploration& into_;
  TraceBuilder builder_;
  const Strategy& strategy_;
};

std::unique_ptr<Strategy> make(Search search) {
  return search == Search::Optimal ? makeOptimal() : search == Search::Dpor ? makeDpor() : makeNaive();
}

}  // namespace

std::set<std::string> Exploration::bugs() const {
  std::set<std::string> names;
  for (const Finding& finding : findings) {
    if (finding.kind == Finding::Kind::Deadlock) continue;
    CodeAddress last = finding.events.empty() ? 0 : finding.events.back().transition->visible().site;
    names.insert(bugName(word(finding.kind), finding.stop.stack.empty() ? last : finding.stop.stack.front()));
  }
  return names;
}

std::set<std::string> Exploration::deadlockKeys() const {
  std::set<std::string> keys;
  for (const Finding& finding : findings)
    if (finding.kind == Finding::Kind::Deadlock) keys.insert(finding.key());
  return keys;
}

std::size_t Exploration::count(Finding::Kind kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(findings, [&](const Finding& finding) { return finding.kind == kind; }));
}

Exploration explore(const Program& program, Labels& labels, const Exploring& how) {
  Exploration exploration;
  const Model& model = how.model != nullptr ? *how.model : testModel();
  ScriptedTarget target(program, how.runsAhead, model.policies.anyEnqueues());
  Limits limits = how.limits;
  limits.policies = model.policies;
  auto strategy = make(how.search);
  Collector collector(exploration, labels, *strategy);
  Explorer explorer(target, model.catalog, *strategy, limits, collector);
  explorer.run();
  exploration.done.push_back(strategy->done());
  exploration.summary = explorer.summary();
  exploration.launches = target.launches();
  exploration.tookAhead = target.tookAhead();
  return exploration;
}

Exploration explore(const Program& program, const Exploring& how) {
  Labels labels;
  return explore(program, labels, how);
}

}  // namespace mcmini
