#include "core/search/memory_clocks.hpp"

#include <algorithm>

namespace mcmini {

namespace {

void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

MemoryClocks::MemoryClocks(const std::vector<Event>& events) {
  moments_.push_back({index(kMainThread), 0});
  events_.push_back(events.size());
  clocks_.emplace_back();
  transitions_.push_back(nullptr);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (!events[i].doomed) append(events[i], i);
}

void MemoryClocks::append(const Event& event, std::size_t at) {
  const Transition& transition = *event.transition;
  std::uint32_t thread = index(transition.thread());
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  OfThread& own = threads_[thread];
  if (own.now.size() <= thread) own.now.resize(thread + 1);
  std::uint32_t count = ++own.now[thread];
  MemoryOrder order = transition.memoryOrder(event.result);
  if ((order & memory_order::kAsDependence) != 0)
    follow(transition, own.now);
  else
    refine(transition, order, own);
  moments_.push_back({thread, count});
  events_.push_back(at);
  clocks_.push_back(own.now);
  transitions_.push_back(&transition);
}

/// Those who order memory in another way are not among the events that it follows.
void MemoryClocks::follow(const Transition& event, Clock& clock) {
  std::uint32_t thread = index(event.thread());
  for (ObjectId object : event.objects()) {
    std::vector<Lane>& lanes = byObject_[static_cast<std::uint64_t>(object)];
    Lane* mine = nullptr;
    for (Lane& lane : lanes) {
      if (lane.thread == thread) {
        mine = &lane;
        continue;
      }
      for (auto i = lane.segments.rbegin(); i != lane.segments.rend(); ++i) {
        if (lane.thread < clock.size() && clock[lane.thread] >= moments_[*i].events) break;
        if (dependent(*transitions_[*i], event)) join(clock, clocks_[*i]);
      }
    }
    if (mine == nullptr) mine = &lanes.emplace_back(Lane{thread, {}});
    auto here = static_cast<std::uint32_t>(moments_.size());
    if (mine->segments.empty() || mine->segments.back() != here) mine->segments.push_back(here);
  }
}

void MemoryClocks::refine(const Transition& event, MemoryOrder order, OfThread& own) {
  using namespace memory_order;
  auto has = [order](MemoryOrder bit) { return (order & bit) != 0; };
  if (has(kFence)) {
    if (has(kAcquire)) join(own.now, own.toAcquire);
    if (has(kRelease)) own.released = own.now;
    return;
  }
  if (event.objects().empty()) return;
  Clock& object = released_[static_cast<std::uint64_t>(event.objects().front())];
  if (has(kReads)) join(has(kAcquire) ? own.now : own.toAcquire, object);
  if (!has(kWrites)) return;
  const Clock& given = has(kRelease) ? own.now : own.released;
  if (has(kReplaces))
    object = given;
  else
    join(object, given);
}

}  // namespace mcmini
