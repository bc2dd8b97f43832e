#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/search/event.hpp"
#include "core/search/vector_clock.hpp"

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
  MemoryClocks(const std::vector<Event>& events, const std::vector<Access>& accesses);

  /// A piece of a thread's life in which it neither takes a step, nor acquires or releases anything.
  struct Piece {
    Moment moment;
    std::size_t event;  ///< After which it comes; the number of events: before all of them.
  };
  const Piece& piece(std::size_t index) const { return pieces_[index]; }

  /// The piece that an access belongs to; nothing if it comes after all events.
  std::optional<std::size_t> pieceOf(std::size_t access) const {
    return access < pieceOf_.size() ? std::optional(pieceOf_[access]) : std::nullopt;
  }

  /// Does what a thread did at that moment come before the piece, of another thread?
  bool ordered(Moment before, std::size_t piece) const {
    const VectorClock& clock = clocks_[piece];
    return before.thread < clock.size() && clock[before.thread] > before.events;
  }

 private:
  struct Lane {
    std::uint32_t thread;
    std::vector<std::uint32_t> pieces;
  };
  struct OfThread {
    VectorClock now;
    VectorClock toAcquire;  // what a fence that acquires makes come before
    VectorClock released;   // what came before the last fence that releases
  };

  void append(const Event& event, std::size_t at);
  void append(const Access& access);
  OfThread& begin(std::uint32_t thread);
  void end(std::uint32_t thread, std::size_t event, const Transition* transition);
  void follow(const Transition& event, VectorClock& clock);
  void refine(std::optional<ObjectId> object, MemoryOrder order, OfThread& own);

  std::vector<Piece> pieces_;
  std::vector<std::size_t> pieceOf_;  // by access
  std::vector<VectorClock> clocks_;
  std::vector<const Transition*> transitions_;
  std::vector<OfThread> threads_;
  std::unordered_map<std::uint64_t, std::vector<Lane>> byObject_;
  std::unordered_map<std::uint64_t, VectorClock> released_;  // by object
};

}  // namespace mcmini
