#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/model/transition.hpp"
#include "core/search/vector_clock.hpp"

namespace mcmini {

/// The order that the events of a run have in every run of the same trace, kept as vector clocks. Events are
/// appended and dropped at the end, as the search goes forward and back.
class HappensBefore {
 public:
  void append(const TransitionPtr& event);
  void truncate(std::size_t length);
  std::size_t size() const { return events_.size(); }

  /// Does event i happen before event j (or is it j)? i <= j.
  bool ordered(std::size_t i, std::size_t j) const { return covers(clocks_[j], i); }

  /// The events that could trade places with `next`, were it appended now: dependent, co-enabled, and not
  /// known to its thread already. Latest first.
  std::vector<std::size_t> races(const Transition& next) const;

  /// The events after i that do not happen after it, in order: what could come before it as well.
  std::vector<std::size_t> independentOf(std::size_t i) const;

  /// How many of the threads that `counts` take a later event that could trade places with event i, if
  /// nothing were in between?
  std::size_t rivals(std::size_t i, const std::function<bool(ThreadId)>& counts) const;

  /// How many of the thread's events happen before event i, itself included.
  std::uint32_t countBefore(std::size_t i, ThreadId thread) const {
    return index(thread) < clocks_[i].size() ? clocks_[i][index(thread)] : 0;
  }

  /// Indices of the thread's events.
  const std::vector<std::uint32_t>& of(ThreadId thread) const;

 private:
  /// One thread's events on one object, as indices.
  struct Lane {
    std::uint32_t thread;
    std::vector<std::uint32_t> events;
  };

  bool covers(const VectorClock& clock, std::size_t i) const {
    std::uint32_t thread = index(events_[i]->thread());
    return thread < clock.size() && clock[thread] >= ordinal_[i];
  }
  const VectorClock& clockOf(ThreadId thread) const;
  void joinOthers(VectorClock& clock, const Transition& event) const;
  void findBorders(const Transition& next, std::vector<std::size_t>& found) const;
  bool hasRival(std::size_t i, const Lane& lane) const;

  std::vector<TransitionPtr> events_;
  std::vector<std::uint32_t> ordinal_;  // which event of its thread, from 1
  std::vector<VectorClock> clocks_;
  std::vector<std::vector<std::uint32_t>> byThread_;
  std::unordered_map<std::uint64_t, std::vector<Lane>> byObject_;
  std::vector<std::uint32_t> borders_;  // indices of the events that begin or end a section
};

}  // namespace mcmini
