#include "core/search/chance.hpp"

#include <algorithm>

#include "core/search/happens_before.hpp"

namespace mcmini {

namespace {

constexpr std::size_t kMostCombined = 6;  // of more, only those are tried that came first

/// Which of the events that came by chance happen, as bits: all choices but that of all of them.
std::vector<std::uint64_t> choices(std::size_t count) {
  std::vector<std::uint64_t> masks;
  if (count <= kMostCombined)
    for (std::uint64_t mask = 0; mask + 1 < std::uint64_t{1} << count; ++mask) masks.push_back(mask);
  else
    for (std::size_t first = 0; first < std::min<std::size_t>(count, 63); ++first)
      masks.push_back((std::uint64_t{1} << first) - 1);
  return masks;
}

/// Could the thread go on by itself?
bool goesOn(const Transition& next, const ModelState& state) {
  if (!canMove(next, state)) return false;
  ModelState after = state;
  return !next.byChance(next.apply(after));
}

/// The run without some of its events; `next`: by thread, the first that is left out, or what was pending.
std::optional<ChanceDeadlock> deadlockWithout(const Execution& run, const std::vector<bool>& left) {
  ChanceDeadlock found{{}, run.initial(), {}};
  std::vector<TransitionPtr> next;
  for (std::size_t i = 0; i < run.events().size(); ++i) {
    const Event& event = run.events()[i];
    std::uint32_t thread = index(event.transition->thread());
    next.resize(std::max<std::size_t>(next.size(), thread + 1));
    if (left[i]) {
      if (!next[thread]) next[thread] = event.transition;
      continue;
    }
    if (!event.doomed) event.transition->apply(found.state);
    found.events.push_back(event);
  }
  for (std::uint32_t i = 0; i < found.state.threadCount(); ++i) {
    if (!found.state.alive(ThreadId{i})) continue;
    const TransitionPtr& mine = i < next.size() && next[i] ? next[i] : run.pending(ThreadId{i});
    if (!mine || mine->givesUp() || goesOn(*mine, found.state)) return std::nullopt;
    found.waiting.push_back(mine);
  }
  if (found.waiting.empty()) return std::nullopt;
  return found;
}

}  // namespace

std::vector<ChanceDeadlock> chanceDeadlocks(const Execution& run) {
  std::vector<std::size_t> byChance;
  for (std::size_t i = 0; i < run.events().size(); ++i)
    if (const Event& event = run.events()[i]; !event.doomed && event.transition->byChance(event.result))
      byChance.push_back(i);
  std::vector<ChanceDeadlock> found;
  if (byChance.empty()) return found;
  HappensBefore order;
  for (const Event& event : run.events()) order.append(event.transition);
  for (std::uint64_t mask : choices(byChance.size())) {
    std::vector<bool> left(run.events().size());
    // The end of the process comes last.
    if (run.events().back().transition->endsProcess()) left.back() = true;
    for (std::size_t c = 0; c < byChance.size(); ++c) {
      if ((mask >> c & 1) != 0) continue;
      for (std::size_t i = byChance[c]; i < left.size(); ++i)
        left[i] = left[i] || order.ordered(byChance[c], i);
    }
    if (auto deadlock = deadlockWithout(run, left)) found.push_back(std::move(*deadlock));
  }
  return found;
}

std::optional<ChanceDeadlock> chanceDeadlockAt(const Execution& run) {
  return deadlockWithout(run, std::vector<bool>(run.events().size()));
}

Finding asFinding(const ChanceDeadlock& deadlock, const ModelState& initial) {
  Finding found;
  found.kind = Finding::Kind::Deadlock;
  found.events = deadlock.events;
  found.initial = initial;
  found.state = deadlock.state;
  found.blocked = found.pending = deadlock.waiting;
  for (const TransitionPtr& t : found.blocked) found.deadlocked.push_back(t->thread());
  return found;
}

}  // namespace mcmini
