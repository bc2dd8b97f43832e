#pragma once

#include <cstdint>
#include <vector>

#include "core/model/model_state.hpp"
#include "core/search/event.hpp"

namespace mcmini {

/// The events of a run that failed. Threads that hinder each other bring the whole program back to where it
/// was after an earlier failure.
class Failures {
 public:
  /// `streak`: so many events up to this one are its thread's.
  void add(std::size_t event, const ModelState& after, std::size_t streak) {
    failures_.push_back({event, after, streak});
  }
  void clear() { failures_.clear(); }

  /// A run so far, and what each of its threads would do next.
  struct Run {
    const std::vector<Event>& events;
    const std::vector<TransitionPtr>& pending;
  };

  /// Has the last event failed? Then: how often has the whole program been where it is now, the same state
  /// and every thread about to do the same, with more than one thread moving in between?
  std::uint32_t returns(const Run& run) const;

  /// Was the whole program, after one of the events from this one to the last but one, back that often where
  /// it had been?
  bool hasReturned(const Run& run, std::size_t from, std::uint32_t times) const;

 private:
  struct Failure {
    std::size_t event;
    ModelState after;
    std::size_t streak;
  };
  std::uint32_t returnsAt(const Run& run, std::size_t failure) const;

  std::vector<Failure> failures_;
};

}  // namespace mcmini
