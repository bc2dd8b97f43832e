#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/ids.hpp"

namespace mcmini {

/// Marks in the result of a wait. The thread has joined the queue of what it wants to take: it announces next
/// that it takes it.
inline constexpr std::int64_t kQueued = 0x10000;
/// It goes on though nobody has told it to.
inline constexpr std::int64_t kSpurious = 0x20000;

/// The threads that wait at one object, and what they have been granted. A value, part of the object's state.
struct WaitQueue {
  std::vector<ThreadId> waiting;  ///< Not granted anything of their own yet; in the order they came.
  std::vector<std::vector<ThreadId>> grants;  ///< Each lets one of these threads leave.
  std::uint32_t spurious = 0;                 ///< How many have left without a grant.
  bool operator==(const WaitQueue&) const = default;

  bool granted(ThreadId thread) const {
    return std::ranges::any_of(grants,
                               [&](const auto& grant) { return std::ranges::count(grant, thread) > 0; });
  }
  bool empty() const { return waiting.empty() && grants.empty(); }
};

/// Decides who leaves a wait queue, and when. One object serves all queues; what it decides must depend on
/// nothing but the queue. Condition variables, semaphores and locks ask it and have no order of their own.
///
/// The defaults describe a policy under which anybody may be next, and which is slow to search: they say of
/// no two operations that their order does not matter.
class WakeupPolicy {
 public:
  virtual ~WakeupPolicy() = default;

  /// The thread begins to wait.
  virtual void enqueue(WaitQueue& queue, ThreadId thread) const { queue.waiting.push_back(thread); }

  /// One more thread may leave: a signal, a post, an unlock. Nothing happens if nobody waits for it.
  virtual void grantOne(WaitQueue& queue) const {
    if (grantsOfWaiting(queue) < queue.waiting.size()) queue.grants.push_back(queue.waiting);
  }

  /// All who wait now may leave: a broadcast.
  virtual void grantAll(WaitQueue& queue) const {
    std::erase_if(queue.grants, [&](const auto& grant) { return isOfWaiting(queue, grant); });
    for (ThreadId thread : queue.waiting) queue.grants.push_back({thread});
    queue.waiting.clear();
  }

  /// May the thread leave now? Once it may, it may until leave(thread), whatever others do, unless another
  /// one can use up the same grant.
  virtual bool mayLeave(const WaitQueue& queue, ThreadId thread) const { return queue.granted(thread); }

  /// The thread leaves: by a grant, if it has one, else because its time is up or for no reason. Returns
  /// whether it used a grant. A grant that only it could have used goes with it; grants of others stay.
  virtual bool leave(WaitQueue& queue, ThreadId thread) const {
    bool used = takeGrant(queue, thread);
    std::erase(queue.waiting, thread);
    return used;
  }

  /// Does the order in which threads begin to wait matter? If not, to join a queue is independent of what
  /// others do there, and whoever waits for something that can be taken may be the one.
  virtual bool orderMatters() const { return true; }

  /// May a thread be let go before others who have waited longer? If not, it makes no difference whether it
  /// joins the queue just before or just after one of those is let go.
  virtual bool overtakes() const { return true; }

  /// Does a wait for something that can be taken, a lock or a token of a semaphore, begin with an operation
  /// of its own, by which the thread joins the queue? If not, it is one operation, and who moves first takes
  /// what there is.
  virtual bool enqueues() const { return true; }

  /// So many threads may leave each condition variable without being told to, unless the user says otherwise.
  virtual std::uint32_t spuriousWakeups() const { return 0; }

  /// One line for a list of policies.
  virtual std::string describe() const = 0;

 protected:
  /// Is the grant for those who have nothing of their own? Else it is for some who have, as after a
  /// broadcast.
  static bool isOfWaiting(const WaitQueue& queue, const std::vector<ThreadId>& grant) {
    return std::ranges::any_of(
        grant, [&](ThreadId thread) { return std::ranges::count(queue.waiting, thread) > 0; });
  }
  static std::size_t grantsOfWaiting(const WaitQueue& queue) {
    return static_cast<std::size_t>(
        std::ranges::count_if(queue.grants, [&](const auto& grant) { return isOfWaiting(queue, grant); }));
  }

  /// Uses up the grant that leaves the others the most choice.
  static bool takeGrant(WaitQueue& queue, ThreadId thread) {
    auto usable = [&](const std::vector<ThreadId>& grant) { return std::ranges::count(grant, thread) > 0; };
    auto best = queue.grants.end();
    for (auto grant = queue.grants.begin(); grant != queue.grants.end(); ++grant)
      if (usable(*grant) && (best == queue.grants.end() || grant->size() < best->size())) best = grant;
    if (best == queue.grants.end()) return false;
    queue.grants.erase(best);
    for (auto& grant : queue.grants) std::erase(grant, thread);
    std::erase_if(queue.grants, [](const auto& grant) { return grant.empty(); });
    return true;
  }
};

/// Which policy each kind of wait queue has: "cond", "sem", "mutex", "rwlock", "futex".
class Policies {
 public:
  void set(const std::string& kind, std::shared_ptr<const WakeupPolicy> policy) {
    byKind_[kind] = std::move(policy);
  }
  void setDefault(std::shared_ptr<const WakeupPolicy> policy) { default_ = std::move(policy); }
  /// Whatever the policies say of it.
  void setSpuriousWakeups(std::uint32_t count) { spuriousWakeups_ = count; }

  /// Null if none was set.
  const WakeupPolicy* of(std::string_view kind) const {
    auto at = byKind_.find(kind);
    return at != byKind_.end() ? at->second.get() : default_.get();
  }

  std::uint32_t spuriousWakeups(const WakeupPolicy& policy) const {
    return spuriousWakeups_.value_or(policy.spuriousWakeups());
  }

  /// Is there any queue that a thread has to join before it takes something?
  bool anyEnqueues() const {
    return (default_ && default_->enqueues()) ||
           std::ranges::any_of(byKind_, [](const auto& entry) { return entry.second->enqueues(); });
  }

 private:
  std::map<std::string, std::shared_ptr<const WakeupPolicy>, std::less<>>
      byKind_;  // one may serve several kinds
  std::shared_ptr<const WakeupPolicy> default_;
  std::optional<std::uint32_t> spuriousWakeups_;
};

}  // namespace mcmini
