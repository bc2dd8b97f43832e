#include "core/search/finding.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace mcmini {

namespace {

using Places = std::function<std::string(CodeAddress)>;

std::string siteKey(const Transition& t, const Places& place) {
  return place(t.visible().site);
}

/// Where a thread was interrupted is a matter of chance; what it did last is not.
std::string siteKey(const Transition& t, const std::vector<Event>& events, const Places& place) {
  auto own = std::ranges::find_if(events.rbegin(), events.rend(), [&](const Event& event) {
    return event.transition->thread() == t.thread() && !event.transition->involuntary();
  });
  return siteKey(!t.involuntary() || own == events.rend() ? t : *own->transition, place);
}

/// Where in its loop a thread stands is a matter of chance, too: what counts is the first place of a round.
std::string loopKey(const Transition& t, const std::vector<Event>& events, const Places& place) {
  std::string here = siteKey(t, events, place);
  if (t.involuntary()) return here;
  std::string first = here;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const Transition& own = *event->transition;
    if (own.thread() != t.thread() || own.involuntary()) continue;
    first = std::min(first, siteKey(own, place));
    if (own.visible().site == t.visible().site && own.visible().object == t.visible().object) return first;
  }
  return here;
}

std::optional<TransitionPtr> waiting(const Finding& finding, ThreadId thread) {
  for (const TransitionPtr& t : finding.blocked)
    if (t->thread() == thread) return t;
  return std::nullopt;
}

}  // namespace

std::vector<ThreadId> causes(const Finding& finding) {
  for (ThreadId start : finding.deadlocked) {
    std::vector<ThreadId> way{start};
    while (auto t = waiting(finding, way.back())) {
      auto by = hinderedBy(**t, finding.state);
      if (by.size() != 1) break;
      auto seen = std::ranges::find(way, by.front());
      if (seen != way.end()) return {seen, way.end()};
      way.push_back(by.front());
    }
  }
  std::vector<ThreadId> roots = finding.deadlocked;
  std::erase_if(roots, [&](ThreadId thread) {
    auto by = hinderedBy(**waiting(finding, thread), finding.state);
    return std::ranges::any_of(
        by, [&](ThreadId other) { return std::ranges::count(finding.deadlocked, other) > 0; });
  });
  return roots.empty() ? finding.deadlocked : roots;
}

std::string Finding::key() const {
  return key([](CodeAddress place) { return std::to_string(place); });
}

std::string Finding::key(const std::function<std::string(CodeAddress)>& place) const {
  std::string key(word(kind));
  std::multiset<std::string> sites;
  switch (kind) {
    case Kind::Deadlock:
      for (ThreadId thread : causes(*this)) sites.insert(siteKey(**waiting(*this, thread), place));
      for (const std::string& site : sites) key += ' ' + site;
      return key;
    case Kind::Livelock:
      for (const TransitionPtr& t : spinning) sites.insert(loopKey(*t, events, place));
      for (const std::string& site : sites) key += ' ' + site;
      return key;
    case Kind::Race:
      return key + ' ' + race->places.first + ' ' + race->places.second;
    case Kind::Assertion:
      return key + ' ' + stop.text;
    case Kind::Crash:
      key += ' ' + std::to_string(stop.signal);
      for (CodeAddress pc : stop.stack) key += '/' + place(pc);
      return key;
    case Kind::Exit:
      return key + ' ' + std::to_string(stop.status) + ' ' +
             (events.empty() ? "" : siteKey(*events.back().transition, place));
    case Kind::Misuse:
      if (leftBehind) return key + " left " + siteKey(*events[leftBehind->event].transition, place);
      [[fallthrough]];
    case Kind::Stuck:
      return key + ' ' + (events.empty() ? "" : siteKey(*events.back().transition, events, place));
  }
  return key;
}

std::string_view word(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::Deadlock:
      return "deadlock";
    case Finding::Kind::Assertion:
      return "assertion";
    case Finding::Kind::Crash:
      return "crash";
    case Finding::Kind::Exit:
      return "exit";
    case Finding::Kind::Misuse:
      return "misuse";
    case Finding::Kind::Stuck:
      return "stuck";
    case Finding::Kind::Livelock:
      return "livelock";
    case Finding::Kind::Race:
      return "race";
  }
  return "";
}

std::vector<std::uint64_t> addressesIn(const Finding& found) {
  std::vector<std::uint64_t> addresses;
  std::set<ObjectId> seen;
  if (found.race) addresses.push_back(found.race->bytes.begin);
  auto add = [&](const Transition& t) {
    for (ObjectId object : t.objects())
      if (!isThread(object) && seen.insert(object).second) addresses.push_back(addressOf(object));
  };
  for (const TransitionPtr& t : found.pending) add(*t);
  for (auto event = found.events.rbegin(); event != found.events.rend(); ++event) add(*event->transition);
  return addresses;
}

void askAbout(const Finding& found, Target& target) {
  target.askForObjects(addressesIn(found));
  std::vector<Access> accesses;
  if (found.race) accesses = {found.race->first.access, found.race->second.access};
  target.askForAccesses(accesses);
}

std::vector<TransitionPtr> blockedTransitions(const Execution& run) {
  std::vector<TransitionPtr> blocked;
  for (std::uint32_t i = 0; i < run.state().threadCount(); ++i) {
    const TransitionPtr& pending = run.pending(ThreadId{i});
    if (pending && !pending->givesUp() && !canMove(*pending, run.state())) blocked.push_back(pending);
  }
  return blocked;
}

bool anyGaveUp(const Execution& run) {
  for (std::uint32_t i = 0; i < run.state().threadCount(); ++i)
    if (const TransitionPtr& next = run.pending(ThreadId{i}); next && next->givesUp()) return true;
  return false;
}

std::vector<LeftBehind> leftBehind(const Execution& run) {
  std::vector<LeftBehind> left;
  run.state().forEachObject([&](ObjectId object, const ObjectState& state) {
    if (state.leftBehind()) left.push_back({object, 0});
  });
  if (left.empty()) return left;
  ModelState state = run.initial();
  auto isThere = [&](ObjectId object) {
    const ObjectState* now = state.find(object);
    return now != nullptr && now->leftBehind();
  };
  for (std::size_t i = 0; i < run.events().size(); ++i) {
    std::vector<bool> before;
    for (const LeftBehind& one : left) before.push_back(isThere(one.object));
    if (!run.events()[i].doomed) run.events()[i].transition->apply(state);
    for (std::size_t j = 0; j < left.size(); ++j)
      if (!before[j] && isThere(left[j].object)) left[j].event = i;
  }
  return left;
}

std::vector<ThreadId> deadlockedThreads(const Execution& run) {
  std::vector<ThreadId> dead;
  auto blocked = blockedTransitions(run);
  for (const TransitionPtr& t : blocked) dead.push_back(t->thread());
  bool allWait = run.enabled().empty() && run.goingRound().empty() && !run.signalled();
  if (allWait && !run.anyCut() && !run.anyLost() && !anyGaveUp(run)) return dead;
  auto couldBeFreed = [&](const TransitionPtr& t) {
    if (std::ranges::count(dead, t->thread()) == 0) return false;
    auto by = hinderedBy(*t, run.state());
    return by.empty() || std::ranges::any_of(by, [&](ThreadId thread) {
             return run.state().alive(thread) && std::ranges::count(dead, thread) == 0;
           });
  };
  for (auto free = blocked.begin(); (free = std::ranges::find_if(blocked, couldBeFreed)) != blocked.end();)
    std::erase(dead, (*free)->thread());
  return dead;
}

}  // namespace mcmini
