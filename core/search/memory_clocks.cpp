#include "core/search/memory_clocks.hpp"

namespace mcmini {

MemoryClocks::MemoryClocks(const std::vector<Event>& events, const std::vector<Access>& accesses) {
  begin(index(kMainThread));
  pieces_.push_back({{index(kMainThread), 0}, events.size()});
  clocks_.emplace_back();
  transitions_.push_back(nullptr);
  std::size_t next = 0;
  auto addAccesses = [&](std::size_t segment) {
    for (; next < accesses.size() && accesses[next].segment <= segment; ++next) {
      append(accesses[next]);
      pieceOf_.push_back(pieces_.size() - 1);
    }
  };
  addAccesses(0);
  std::size_t segment = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].doomed) continue;
    append(events[i], i);
    addAccesses(++segment);
  }
}

void MemoryClocks::append(const Event& event, std::size_t at) {
  const Transition& transition = *event.transition;
  std::uint32_t thread = index(transition.thread());
  OfThread& own = begin(thread);
  ++own.now[thread];
  MemoryOrder order = transition.memoryOrder(event.result);
  auto objects = transition.objects();
  if ((order & memory_order::kAsDependence) != 0)
    follow(transition, own.now);
  else
    refine(objects.empty() ? std::nullopt : std::optional(objects.front()), order, own);
  end(thread, at, &transition);
}

/// One that is no operation, but orders memory.
void MemoryClocks::append(const Access& access) {
  using namespace memory_order;
  bool acquires = access.kind == Access::Kind::Acquire;
  if (!acquires && access.kind != Access::Kind::Release) return;
  std::uint32_t thread = pieces_.back().moment.thread;
  OfThread& own = begin(thread);
  ++own.now[thread];
  refine(objectAt(access.address), acquires ? kReads | kAcquire : kWrites | kRelease, own);
  end(thread, pieces_.back().event, nullptr);
}

MemoryClocks::OfThread& MemoryClocks::begin(std::uint32_t thread) {
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  OfThread& own = threads_[thread];
  if (own.now.size() <= thread) own.now.resize(thread + 1);
  return own;
}

void MemoryClocks::end(std::uint32_t thread, std::size_t event, const Transition* transition) {
  const VectorClock& now = threads_[thread].now;
  pieces_.push_back({{thread, now[thread]}, event});
  clocks_.push_back(now);
  transitions_.push_back(transition);
}

/// Those who order memory in another way are not among the events that it follows.
void MemoryClocks::follow(const Transition& event, VectorClock& clock) {
  std::uint32_t thread = index(event.thread());
  for (ObjectId object : event.objects()) {
    std::vector<Lane>& lanes = byObject_[static_cast<std::uint64_t>(object)];
    Lane* mine = nullptr;
    for (Lane& lane : lanes) {
      if (lane.thread == thread) {
        mine = &lane;
        continue;
      }
      for (auto i = lane.pieces.rbegin(); i != lane.pieces.rend(); ++i) {
        if (lane.thread < clock.size() && clock[lane.thread] >= pieces_[*i].moment.events) break;
        if (dependent(*transitions_[*i], event)) join(clock, clocks_[*i]);
      }
    }
    if (mine == nullptr) mine = &lanes.emplace_back(Lane{thread, {}});
    auto here = static_cast<std::uint32_t>(pieces_.size());
    if (mine->pieces.empty() || mine->pieces.back() != here) mine->pieces.push_back(here);
  }
}

void MemoryClocks::refine(std::optional<ObjectId> of, MemoryOrder order, OfThread& own) {
  using namespace memory_order;
  auto has = [order](MemoryOrder bit) { return (order & bit) != 0; };
  if (has(kFence)) {
    if (has(kAcquire)) join(own.now, own.toAcquire);
    if (has(kRelease)) own.released = own.now;
    return;
  }
  if (!of) return;
  VectorClock& object = released_[static_cast<std::uint64_t>(*of)];
  if (has(kReads)) join(has(kAcquire) ? own.now : own.toAcquire, object);
  if (!has(kWrites)) return;
  const VectorClock& given = has(kRelease) ? own.now : own.released;
  if (has(kReplaces))
    object = given;
  else
    join(object, given);
}

}  // namespace mcmini
