#include "core/report/effects.hpp"

#include <algorithm>
#include <set>

namespace mcmini {

namespace {

/// An object before or after an event. Object states are replaced, not changed, as long as a copy of the
/// state lives.
struct Look {
  std::string words;
  std::vector<ThreadId> holders;
};

Look lookAt(const ModelState& state, ObjectId object, const Names& names) {
  const ObjectState* now = state.find(object);
  if (now == nullptr) return {};
  return {now->describe(names), now->holders()};
}

/// The objects that somebody held at some time.
std::set<ObjectId> everHeld(const Finding& finding) {
  std::set<ObjectId> held;
  ModelState state = finding.initial;
  for (const Event& event : finding.events) {
    if (event.doomed) continue;
    event.transition->apply(state);
    for (ObjectId object : event.transition->objects())
      if (const ObjectState* now = state.find(object); now != nullptr && !now->holders().empty())
        held.insert(object);
  }
  return held;
}

/// What is in memory: the call itself says what becomes of it.
bool isValue(ObjectId object) {
  return (static_cast<std::uint64_t>(object) & kValueObjectBit) != 0;
}

/// The thread takes something or gives it back; or something to hold is set up.
bool isEvident(const Look& before, const Look& after, ThreadId mover, bool isToHold) {
  if (before.words.empty() && after.holders.empty()) return isToHold;
  auto isMover = [mover](ThreadId thread) { return thread == mover; };
  return before.holders != after.holders && std::ranges::all_of(before.holders, isMover) &&
         std::ranges::all_of(after.holders, isMover);
}

Effect effectOf(const Event& event, const ModelState& before, const ModelState& after, const Names& names,
                const std::set<ObjectId>& toHold) {
  Effect effect;
  const Transition& t = *event.transition;
  effect.wokeNobody = t.wakesNobody(before);
  for (ObjectId object : t.objects()) {
    if (isThread(object) || isValue(object)) continue;
    Look was = lookAt(before, object, names);
    Look is = lookAt(after, object, names);
    if (is.words != was.words && !is.words.empty())
      effect.changes.push_back(
          {object, names.object(object), is.words, isEvident(was, is, t.thread(), toHold.contains(object))});
  }
  return effect;
}

}  // namespace

std::vector<Effect> effectsOf(const Finding& finding, const std::vector<std::size_t>& events,
                              const Names& names) {
  std::vector<Effect> effects;
  std::set<ObjectId> toHold = everHeld(finding);
  ModelState state = finding.initial;
  auto wanted = events.begin();
  for (std::size_t i = 0; i < finding.events.size() && wanted != events.end(); ++i) {
    const Event& event = finding.events[i];
    bool isWanted = *wanted == i;
    if (isWanted) ++wanted;
    if (event.doomed) {
      if (isWanted) effects.emplace_back();
    } else if (isWanted) {
      ModelState before = state;
      event.transition->apply(state);
      effects.push_back(effectOf(event, before, state, names, toHold));
    } else {
      event.transition->apply(state);
    }
  }
  return effects;
}

std::vector<LostWakeup> lostWakeups(const Finding& finding) {
  std::vector<LostWakeup> lost;
  std::vector<TransitionPtr> waiting;
  for (const TransitionPtr& t : finding.blocked)
    if (std::ranges::count(finding.deadlocked, t->thread()) > 0 && t->blockedBy(finding.state).empty() &&
        !t->objects().empty())
      waiting.push_back(t);
  if (waiting.empty()) return lost;
  ModelState state = finding.initial;
  for (std::size_t i = 0; i < finding.events.size(); ++i) {
    if (finding.events[i].doomed) continue;
    const Transition& t = *finding.events[i].transition;
    bool isInVain = t.wakesNobody(state);
    t.apply(state);
    for (const TransitionPtr& waiter : waiting) {
      ObjectId object = waiter->objects().front();
      if (!isInVain || t.thread() == waiter->thread() || std::ranges::count(t.objects(), object) == 0)
        continue;
      std::erase_if(lost, [&](const LostWakeup& one) { return one.waiter == waiter->thread(); });
      lost.push_back({waiter->thread(), object, i});
    }
  }
  return lost;
}

}  // namespace mcmini
