#pragma once

// What other primitives may do to a mutex: a condition variable gives it back and takes it again.

#include <optional>
#include <utility>

#include "core/model/transition.hpp"
#include "plugins/turns.hpp"

namespace mcmini {

struct Mutex : Object<Mutex> {
  static constexpr std::string_view kKind = "mutex";
  std::optional<ThreadId> owner;
  std::uint32_t depth = 0;   ///< How many times its owner has locked it.
  bool initialized = false;  ///< By a call; not by a static initializer.
  bool destroyed = false;
  /// How often it was destroyed since a call made it: its memory may have become another mutex without one.
  std::uint64_t destructions = 0;
  bool robust = false;
  /// Of a robust mutex: its owner ended while holding it, and nobody has made it consistent since.
  bool inconsistent = false;
  bool unrecoverable = false;
  Turns turns;  ///< Of those who have joined its queue, if the policy has them do so.

  bool operator==(const Mutex&) const = default;

  bool free() const { return !owner; }
  /// Free, and nobody else's turn?
  bool leftOver() const { return turns.leftOver(free() ? 1 : 0); }
  bool ownedBy(ThreadId thread) const { return owner == thread; }

  void take(ThreadId thread) {
    owner = thread;
    ++depth;
  }
  /// Gives it back once. The next one may have it, when that was the last time; nobody ever, if it is still
  /// inconsistent.
  void release(const WakeupPolicy& policy) {
    if (depth > 0) --depth;
    if (depth > 0) return;
    owner.reset();
    if (std::exchange(inconsistent, false)) unrecoverable = true;
    turns.offer(policy, 1);
  }
  void join(const WakeupPolicy& policy, ThreadId thread) { turns.join(policy, thread, free() ? 1 : 0); }

  bool leftBehind() const override { return initialized; }
  bool mayOutliveHolder() const override { return robust; }
  void holderEnded() override {
    owner.reset();
    depth = 0;
    inconsistent = true;
  }
  std::vector<ThreadId> holders() const override {
    return owner ? std::vector{*owner} : std::vector<ThreadId>{};
  }
  std::string describe(const Names& names) const override {
    if (destroyed) return "destroyed";
    std::string words = owner ? "held by " + names.thread(*owner) : "free";
    std::size_t queued = turns.queue.waiting.size();
    return queued == 0
               ? words
               : words + ", " + std::to_string(queued) + (queued == 1 ? " thread waits" : " threads wait");
  }
};

}  // namespace mcmini
