#include "plugins/laws.hpp"

#include <algorithm>

#include "plugins/law_walk.hpp"

namespace mcmini {

namespace {

constexpr std::uint64_t kObject = 8;
constexpr std::uint64_t kAnotherObject = 16;

std::vector<std::string> operationsOf(const Catalog& catalog, const std::string& plugin) {
  std::vector<std::string> names;
  catalog.forEach([&](const Catalog::Operation& operation) {
    if (operation.plugin == plugin) names.push_back(operation.name);
  });
  std::ranges::sort(names);
  return names;
}

/// As the plugin says, or one with arguments, one with objects that must not get into each other's way, and
/// one where an argument names the other object.
std::vector<Catalog::Calls> trialsOf(const Catalog& catalog, const std::string& plugin) {
  std::vector<Catalog::Calls> trials;
  for (const Catalog::Trial& trial : catalog.trials())
    if (trial.plugin == plugin) trials.push_back(trial.calls);
  if (!trials.empty()) return trials;
  trials.resize(3);
  for (const std::string& name : operationsOf(catalog, plugin)) {
    for (std::uint64_t n : {0U, 1U, 2U}) trials[0].push_back({name, kObject, {n, n, n}});
    for (std::uint64_t object : {kObject, kAnotherObject}) trials[1].push_back({name, object, {1, 1, 1}});
    trials[2].push_back({name, kObject, {kAnotherObject, kAnotherObject, kAnotherObject}});
    trials[2].push_back({name, kAnotherObject, {1, 1, 1}});
  }
  return trials;
}

bool isOf(const Catalog& catalog, const std::string& operation, const std::string& plugin) {
  const Catalog::Operation* known = catalog.find(nameId(operation));
  return known != nullptr && known->plugin == plugin;
}

std::vector<std::string> tipsFrom(const LawFindings& findings, const Catalog& catalog,
                                  const std::string& plugin) {
  std::vector<std::string> tips;
  for (const std::string& name : operationsOf(catalog, plugin))
    if (!findings.possible.contains(name))
      tips.push_back(name + " was never possible here: nothing is known about it");
  for (const auto& [names, pair] : findings.pairs) {
    const auto& [one, other] = names;
    if (!pair.saidDependent || !pair.met || pair.mattered) continue;
    if (!isOf(catalog, one, plugin) && !isOf(catalog, other, plugin)) continue;
    tips.push_back("dependentWith may say no for " +
                   (one == other ? "two threads' " + one : one + " and " + other) +
                   ": their order never mattered here");
  }
  return tips;
}

}  // namespace

LawReport checkLaws(const Catalog& catalog, const std::string& plugin, Asked& asked,
                    const LawLimits& limits) {
  LawFindings findings;
  for (const Catalog::Calls& calls : trialsOf(catalog, plugin))
    for (std::uint32_t threads : {2U, 3U})
      for (const auto& [name, entry] : catalog.policies()) {
        Policies policies;
        policies.setDefault(entry.policy);
        LawWalk({catalog, plugin, calls, policies, threads}, limits, asked, findings).run();
      }
  LawReport report;
  report.tips = tipsFrom(findings, catalog, plugin);
  report.broken = std::move(findings.broken);
  report.operations = operationsOf(catalog, plugin).size();
  report.states = findings.states;
  report.complete = !findings.cut;
  return report;
}

}  // namespace mcmini
