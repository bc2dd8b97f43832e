#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/search/event.hpp"

namespace mcmini {

/// A moment in a thread's life, for what it does to memory: after so many of its events.
struct Moment {
  std::uint32_t thread = 0;
  std::uint32_t events = 0;
};

/// What the operations of a run order in memory, kept as vector clocks. It is less than what the order of the
/// operations is, if they are made to order nothing (relaxed atomics).
class MemoryClocks {
 public:
  explicit MemoryClocks(const std::vector<Event>& events);

  /// The segments: 0 is what main does before its first operation, n what the thread of the n-th event that
  /// took place does after it.
  std::size_t segments() const { return moments_.size(); }
  Moment moment(std::size_t segment) const { return moments_[segment]; }

  /// The event that the segment comes after; the number of events for segment 0.
  std::size_t event(std::size_t segment) const { return events_[segment]; }

  /// Does what a thread did at that moment come before the segment, of another thread?
  bool ordered(Moment before, std::size_t segment) const {
    const Clock& clock = clocks_[segment];
    return before.thread < clock.size() && clock[before.thread] > before.events;
  }

 private:
  using Clock = std::vector<std::uint32_t>;  // by thread: how many of its events come before

  struct Lane {
    std::uint32_t thread;
    std::vector<std::uint32_t> segments;
  };
  struct OfThread {
    Clock now;
    Clock toAcquire;  // what a fence that acquires makes come before
    Clock released;   // what came before the last fence that releases
  };

  void append(const Event& event, std::size_t at);
  void follow(const Transition& event, Clock& clock);
  void refine(const Transition& event, MemoryOrder order, OfThread& own);

  std::vector<Moment> moments_;
  std::vector<std::size_t> events_;
  std::vector<Clock> clocks_;
  std::vector<const Transition*> transitions_;
  std::vector<OfThread> threads_;
  std::unordered_map<std::uint64_t, std::vector<Lane>> byObject_;
  std::unordered_map<std::uint64_t, Clock> released_;  // by object
};

}  // namespace mcmini
