#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/model_state.hpp"
#include "core/search/event.hpp"

namespace mcmini {

/// The events of a run that failed. Threads that hinder each other bring the whole program back to where it
/// was after an earlier failure.
class Failures {
 public:
  void add(std::size_t event, const ModelState& after) { failures_.emplace_back(event, after); }
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
  using Failure = std::pair<std::size_t, ModelState>;  // an event, and the state after it
  std::uint32_t returnsAt(const Run& run, std::size_t failure) const;

  std::vector<Failure> failures_;
};

}  // namespace mcmini
