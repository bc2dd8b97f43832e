#include "core/report/race_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mcmini {

namespace {

using Kind = Access::Kind;

bool isAtomic(Kind kind) {
  return kind == Kind::AtomicRead || kind == Kind::AtomicWrite;
}

std::string verbOf(Kind kind) {
  switch (kind) {
    case Kind::Write:
      return "writes";
    case Kind::AtomicRead:
      return "atomically reads";
    case Kind::AtomicWrite:
      return "atomically writes";
    case Kind::Free:
      return "frees";
    default:
      return "reads";
  }
}

bool frees(const Finding& finding) {
  return finding.race->first.access.kind == Kind::Free || finding.race->second.access.kind == Kind::Free;
}

ModelState stateAfter(const Finding& finding, std::size_t events) {
  ModelState state = finding.initial;
  for (std::size_t i = 0; i < events; ++i)
    if (!finding.events[i].doomed) finding.events[i].transition->apply(state);
  return state;
}

std::string holdings(const AccessFact& access) {
  std::string list;
  for (const Holding& one : access.holds) list += (list.empty() ? "" : " and ") + one.name;
  return list.empty() ? access.name + " holds none" : access.name + " holds " + list;
}

}  // namespace

std::string nameOfRacy(const Finding& finding, const Names& names) {
  std::uint64_t address = finding.race->bytes.begin;
  std::string name = names.object(objectAt(address));
  if (!name.starts_with("0x")) return name;
  for (std::uint64_t begin : {finding.race->first.access.address, finding.race->second.access.address}) {
    auto local = finding.rehearsal.locals.find(begin);
    if (local != finding.rehearsal.locals.end())
      return "a local variable of " + names.thread(local->second.thread);
  }
  return "memory at " + name;
}

std::vector<AccessFact> accessesOf(const FindingFacts& facts, const Symbolizer& symbolizer) {
  const Finding& finding = facts.finding();
  std::vector<AccessFact> accesses;
  if (!finding.race) return accesses;
  std::string variable = nameOfRacy(finding, facts.names());
  for (const RacyAccess* one : {&finding.race->first, &finding.race->second}) {
    std::size_t at = accesses.size();
    std::size_t steps = one->access.segment == 0 ? 0 : one->event + 1;
    AccessFact fact;
    fact.thread = one->thread;
    fact.name = facts.names().thread(one->thread);
    fact.verb = verbOf(one->access.kind);
    fact.size = one->access.kind == Kind::Free
                    ? one->access.size
                    : static_cast<std::uint32_t>(finding.race->bytes.end - finding.race->bytes.begin);
    fact.variable = variable;
    fact.step = steps;
    const auto& stacks = finding.rehearsal.accesses;
    Stack stack = at < stacks.size() ? stacks[at] : Stack{};
    fact.place = locationOf(stack, one->access.site, symbolizer);
    fact.stack = facts.framesOf(stack);
    ModelState state = stateAfter(finding, steps);
    for (ObjectId object : state.heldBy(one->thread))
      fact.holds.push_back(
          {object, facts.names().object(object), facts.whereTaken(one->thread, object, steps)});
    accesses.push_back(std::move(fact));
  }
  return accesses;
}

std::string whyUnordered(const std::vector<AccessFact>& accesses) {
  const AccessFact& first = accesses[0];
  const AccessFact& second = accesses[1];
  std::string locks = first.holds.empty() && second.holds.empty()
                          ? "neither holds a lock"
                          : fmt::format("no lock in common: {}, {}", holdings(first), holdings(second));
  return fmt::format("{}; and nothing that {} does after its access is waited for by {} before its own",
                     locks, first.name, second.name);
}

std::string adviceOnRace(const Finding& finding, const std::string& variable) {
  if (frees(finding))
    return "the memory may be used after it was freed; let the thread that frees it wait until nobody uses "
           "it";
  bool mixed = isAtomic(finding.race->first.access.kind) != isAtomic(finding.race->second.access.kind);
  if (mixed)
    return fmt::format("one of the accesses is atomic and the other is not; make both of them atomic");
  return fmt::format(
      "let both threads hold the same mutex while they use {}, or wait for each other, or make it atomic",
      variable);
}

}  // namespace mcmini
