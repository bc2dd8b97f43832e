#include "core/search/switches.hpp"

#include <algorithm>

namespace mcmini {

namespace {

constexpr std::size_t kNoEvent = SIZE_MAX;

/// For each event, which one is its thread's next.
std::vector<std::size_t> nextOfThread(const std::vector<Event>& events) {
  std::vector<std::size_t> next(events.size(), kNoEvent);
  std::vector<std::size_t> latest;  // by thread
  for (std::size_t i = 0; i < events.size(); ++i) {
    std::uint32_t thread = index(events[i].transition->thread());
    if (thread >= latest.size()) latest.resize(thread + 1, kNoEvent);
    if (latest[thread] != kNoEvent) next[latest[thread]] = i;
    latest[thread] = i;
  }
  return next;
}

class Walk {
 public:
  Walk(const std::vector<Event>& events, const ModelState& initial, const std::vector<TransitionPtr>& pending)
      : events_(events), pending_(pending), next_(nextOfThread(events)), state_(initial) {}

  Switches run() {
    Switches switches;
    switches.preempted.resize(events_.size());
    std::size_t before = kNoEvent;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (takesPlace(i)) {
        if (before != kNoEvent && events_[before].transition->thread() != event.transition->thread()) {
          ++switches.all;
          switches.preempted[i] = couldGoOn(before);
          if (switches.preempted[i]) ++switches.preemptions;
        }
        before = i;
      }
      if (event.doomed)
        doomed_.push_back(event.transition);
      else
        event.transition->apply(state_);
    }
    return switches;
  }

 private:
  bool takesPlace(std::size_t i) const { return !events_[i].doomed || i + 1 == events_.size(); }

  bool couldGoOn(std::size_t before) const {
    ThreadId thread = events_[before].transition->thread();
    if (events_[before].last || !state_.alive(thread)) return false;
    const Transition* next = nextAfter(before);
    if (next == nullptr || next->endsProcess() || next->involuntary() || !canMove(*next, state_))
      return false;
    return std::ranges::none_of(doomed_, [&](const TransitionPtr& t) { return dependent(*t, *next); });
  }

  const Transition* nextAfter(std::size_t before) const {
    if (std::size_t i = next_[before]; i != kNoEvent)
      return takesPlace(i) ? events_[i].transition.get() : nullptr;
    ThreadId thread = events_[before].transition->thread();
    auto at = std::ranges::find_if(pending_, [&](const TransitionPtr& t) { return t->thread() == thread; });
    return at == pending_.end() ? nullptr : at->get();
  }

  const std::vector<Event>& events_;
  const std::vector<TransitionPtr>& pending_;
  const std::vector<std::size_t> next_;
  ModelState state_;
  std::vector<TransitionPtr> doomed_;
};

}  // namespace

Switches switchesOf(const std::vector<Event>& events, const ModelState& initial,
                    const std::vector<TransitionPtr>& pendingAtEnd) {
  return Walk(events, initial, pendingAtEnd).run();
}

}  // namespace mcmini
