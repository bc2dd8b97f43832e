#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugins/plugin.hpp"

// The state of a lock for readers and writers: who has it, who waits, and who is let in next.

namespace mcmini {

/// Who goes first, where both wait; as pthread_rwlockattr_setkind_np numbers them. Where threads do not queue
/// up, the second is the same as the first, as it is to glibc.
enum class Preference : std::uint8_t { Readers, Neither, Writers };

struct Rwlock : Object<Rwlock> {
  static constexpr std::string_view kKind = "rwlock";
  std::optional<ThreadId> writer;
  std::vector<ThreadId> readers;  ///< In the order of their ids, each as often as it has locked.
  /// Writers that wait, where readers let them pass or where they queue up; in the order of their ids.
  std::vector<ThreadId> wanting;
  // Who has joined a queue, if the policy has them do so. Where neither goes first, all are in that of
  // readers.
  WaitQueue readersWait;
  WaitQueue writersWait;
  bool initialized = false;  ///< By a call; not by a static initializer.
  bool destroyed = false;
  /// How often it was destroyed since a call made it: its memory may have become another one without a call.
  std::uint64_t destructions = 0;

  bool operator==(const Rwlock&) const = default;
  bool leftBehind() const override { return initialized; }
  bool reads(ThreadId thread) const { return std::ranges::count(readers, thread) > 0; }
  bool wants(ThreadId thread) const { return std::ranges::count(wanting, thread) > 0; }
  bool isHeld() const { return writer || !readers.empty(); }
  bool isWaitedFor() const { return !wanting.empty() || !readersWait.empty() || !writersWait.empty(); }
  bool isSomebodysTurn() const { return !readersWait.grants.empty() || !writersWait.grants.empty(); }
  bool isWritersTurn() const {
    return !writersWait.grants.empty() ||
           std::ranges::any_of(wanting, [&](ThreadId thread) { return readersWait.granted(thread); });
  }
  /// Could one more reader get in beside those whose turn it is? Could a writer?
  bool hasRoomForReader() const { return !writer && !isWritersTurn(); }
  bool hasRoomForWriter() const { return !isHeld() && !isSomebodysTurn(); }

  /// Lets as many have their turn as can get in.
  void letIn(const WakeupPolicy& policy, Preference preference) {
    if (!policy.orderMatters()) return;
    while (letOneIn(policy, preference)) {
    }
  }
  bool letOneIn(const WakeupPolicy& policy, Preference preference) {
    if (preference == Preference::Neither) return letNextIn(policy);
    if (preference == Preference::Writers && !writersWait.empty())
      return hasRoomForWriter() && grant(policy, writersWait);
    if (hasRoomForReader() && grant(policy, readersWait)) return true;
    return hasRoomForWriter() && grant(policy, writersWait);
  }
  /// Whoever the policy says, if there is room for that one.
  bool letNextIn(const WakeupPolicy& policy) {
    WaitQueue after = readersWait;
    if (!grant(policy, after)) return false;
    bool writes = std::ranges::any_of(after.grants.back(), [&](ThreadId thread) { return wants(thread); });
    if (writes ? !hasRoomForWriter() : !hasRoomForReader()) return false;
    readersWait = after;
    return true;
  }
  static bool grant(const WakeupPolicy& policy, WaitQueue& queue) {
    std::size_t before = queue.grants.size();
    policy.grantOne(queue);
    return queue.grants.size() > before;
  }

  std::vector<ThreadId> holders() const override {
    if (writer) return {*writer};
    std::vector<ThreadId> threads = readers;
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    return threads;
  }
  std::string describe(const Names& names) const override {
    if (destroyed) return "destroyed";
    if (writer) return "held by " + names.thread(*writer) + " for writing";
    return readers.empty() ? "free" : "held by " + std::to_string(holders().size()) + " for reading";
  }
};

inline void insert(std::vector<ThreadId>& threads, ThreadId thread) {
  threads.insert(std::ranges::lower_bound(threads, thread), thread);
}

inline void eraseOne(std::vector<ThreadId>& threads, ThreadId thread) {
  auto at = std::ranges::find(threads, thread);
  if (at != threads.end()) threads.erase(at);
}

}  // namespace mcmini
