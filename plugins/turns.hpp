#pragma once

// For what one thread can take and others have to wait for: a lock, the tokens of a semaphore.

#include "core/model/wakeup_policy.hpp"

namespace mcmini {

/// What an operation does to a queue of those who want to take something.
enum class QueueRole : std::uint8_t { Joins, GivesBack, TakesTurn, Other };

/// Does the order of two operations at such a queue matter, one of which joins it?
inline bool joiningDependsOn(const WakeupPolicy& policy, QueueRole other) {
  switch (other) {
    case QueueRole::Joins:
      return policy.orderMatters();
    case QueueRole::GivesBack:
      return policy.orderMatters() && policy.overtakes();
    case QueueRole::TakesTurn:
      return false;
    case QueueRole::Other:
      return true;
  }
  return true;
}

/// The same for any two.
inline bool dependAtQueue(const WakeupPolicy& policy, QueueRole one, QueueRole other) {
  if (one == QueueRole::Joins) return joiningDependsOn(policy, other);
  return other != QueueRole::Joins || joiningDependsOn(policy, one);
}

/// Who waits to take something, and whose turn it is. A value, part of the object's state. `free` says how
/// many could be taken.
struct Turns {
  WaitQueue queue;
  bool operator==(const Turns&) const = default;

  /// Is something left for a thread that has not waited?
  bool leftOver(std::size_t free) const { return free > queue.grants.size(); }

  void join(const WakeupPolicy& policy, ThreadId thread, std::size_t free) {
    policy.enqueue(queue, thread);
    offer(policy, free);
  }

  /// Lets as many threads have their turn as there is something for.
  void offer(const WakeupPolicy& policy, std::size_t free) {
    if (!policy.orderMatters()) return;
    for (std::size_t before = queue.grants.size(); before < free; before = queue.grants.size()) {
      policy.grantOne(queue);
      if (queue.grants.size() == before) return;
    }
  }

  /// What became free by itself, when its holder ended, is offered now.
  bool mayTake(const WakeupPolicy& policy, ThreadId thread, std::size_t free) const {
    if (free == 0 || !policy.orderMatters()) return free > 0;
    Turns now = *this;
    now.offer(policy, free);
    return policy.mayLeave(now.queue, thread);
  }

  /// The thread takes something, or gives up.
  void leave(const WakeupPolicy& policy, ThreadId thread, std::size_t free) {
    offer(policy, free);
    policy.leave(queue, thread);
  }

  /// Those whose turn it is.
  std::vector<ThreadId> next() const {
    std::vector<ThreadId> threads;
    for (const auto& grant : queue.grants) threads.insert(threads.end(), grant.begin(), grant.end());
    return threads;
  }
};

}  // namespace mcmini
