#include "core/search/happens_before.hpp"

#include <algorithm>

namespace mcmini {

const std::vector<std::uint32_t>& HappensBefore::of(ThreadId thread) const {
  static const std::vector<std::uint32_t> none;
  return index(thread) < byThread_.size() ? byThread_[index(thread)] : none;
}

const VectorClock& HappensBefore::clockOf(ThreadId thread) const {
  static const VectorClock none;
  const auto& own = of(thread);
  return own.empty() ? none : clocks_[own.back()];
}

void HappensBefore::append(const TransitionPtr& event) {
  ThreadId thread = event->thread();
  std::uint32_t slot = index(thread);
  auto at = static_cast<std::uint32_t>(events_.size());
  VectorClock clock = clockOf(thread);
  joinOthers(clock, *event);
  for (ObjectId object : event->objects()) {
    auto& lanes = byObject_[static_cast<std::uint64_t>(object)];
    Lane* mine = nullptr;
    for (Lane& lane : lanes) {
      if (lane.thread == slot) {  // ordered by the program
        mine = &lane;
        continue;
      }
      for (auto i = lane.events.rbegin(); i != lane.events.rend() && !covers(clock, *i); ++i)
        if (dependent(*events_[*i], *event)) join(clock, clocks_[*i]);
    }
    if (mine == nullptr) mine = &lanes.emplace_back(Lane{slot, {}});
    if (mine->events.empty() || mine->events.back() != at) mine->events.push_back(at);
  }
  if (clock.size() <= slot) clock.resize(slot + 1);
  ordinal_.push_back(++clock[slot]);
  clocks_.push_back(std::move(clock));
  if (byThread_.size() <= slot) byThread_.resize(slot + 1);
  byThread_[slot].push_back(at);
  if (event->bordersSection()) borders_.push_back(at);
  events_.push_back(event);
}

/// What borders a section depends on all that others do, whatever objects that has.
void HappensBefore::joinOthers(VectorClock& clock, const Transition& event) const {
  if (event.bordersSection())
    for (const auto& own : byThread_)
      if (!own.empty()) join(clock, clocks_[own.back()]);
  if (!borders_.empty()) join(clock, clocks_[borders_.back()]);
}

/// The same for races: `next` could come before what borders a section, and that before what others did.
void HappensBefore::findBorders(const Transition& next, std::vector<std::size_t>& found) const {
  const VectorClock& known = clockOf(next.thread());
  for (auto i = borders_.rbegin(); i != borders_.rend() && !covers(known, *i); ++i) found.push_back(*i);
  if (!next.bordersSection()) return;
  for (const auto& own : byThread_)
    for (auto i = own.rbegin(); i != own.rend() && !covers(known, *i); ++i) found.push_back(*i);
}

void HappensBefore::truncate(std::size_t length) {
  while (events_.size() > length) {
    const Transition& last = *events_.back();
    auto at = static_cast<std::uint32_t>(events_.size() - 1);
    for (ObjectId object : last.objects())
      for (Lane& lane : byObject_[static_cast<std::uint64_t>(object)])
        if (!lane.events.empty() && lane.events.back() == at) lane.events.pop_back();
    byThread_[index(last.thread())].pop_back();
    if (!borders_.empty() && borders_.back() == at) borders_.pop_back();
    events_.pop_back();
    ordinal_.pop_back();
    clocks_.pop_back();
  }
}

std::vector<std::size_t> HappensBefore::races(const Transition& next) const {
  std::vector<std::size_t> found;
  findBorders(next, found);
  const VectorClock& known = clockOf(next.thread());
  for (ObjectId object : next.objects()) {
    auto lanes = byObject_.find(static_cast<std::uint64_t>(object));
    if (lanes == byObject_.end()) continue;
    for (const Lane& lane : lanes->second) {
      if (lane.thread == index(next.thread())) continue;
      for (auto i = lane.events.rbegin(); i != lane.events.rend() && !covers(known, *i); ++i)
        if (dependent(*events_[*i], next) && coenabled(*events_[*i], next)) found.push_back(*i);
    }
  }
  std::ranges::sort(found, std::greater<>());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::size_t HappensBefore::rivals(std::size_t i, const std::function<bool(ThreadId)>& counts) const {
  std::vector<std::uint32_t> found;
  const Transition& event = *events_[i];
  for (ObjectId object : event.objects()) {
    auto lanes = byObject_.find(static_cast<std::uint64_t>(object));
    if (lanes == byObject_.end()) continue;
    for (const Lane& lane : lanes->second)
      if (std::ranges::count(found, lane.thread) == 0 && counts(ThreadId{lane.thread}) && hasRival(i, lane))
        found.push_back(lane.thread);
  }
  return found.size();
}

/// Does the lane have a later event that could trade places with event i, and to which its thread comes
/// without it?
bool HappensBefore::hasRival(std::size_t i, const Lane& lane) const {
  const Transition& event = *events_[i];
  const auto& own = byThread_[lane.thread];
  for (auto later = std::ranges::upper_bound(lane.events, i); later != lane.events.end(); ++later) {
    std::uint32_t ordinal = ordinal_[*later];
    if (ordinal > 1 && covers(clocks_[own[ordinal - 2]], i)) return false;
    if (dependent(event, *events_[*later]) && coenabled(event, *events_[*later])) return true;
  }
  return false;
}

std::vector<std::size_t> HappensBefore::independentOf(std::size_t i) const {
  std::vector<std::size_t> rest;
  for (const auto& own : byThread_)
    for (auto k = std::ranges::upper_bound(own, i); k != own.end() && !ordered(i, *k); ++k)
      rest.push_back(*k);
  std::ranges::sort(rest);
  return rest;
}

}  // namespace mcmini
