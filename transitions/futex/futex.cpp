#include <cerrno>
#include <map>

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kLook = nameId("futex.look");
constexpr NameId kEnqueue = nameId("futex.enqueue");
constexpr NameId kLeave = nameId("futex.leave");
constexpr NameId kWake = nameId("futex.wake");
constexpr NameId kRequeue = nameId("futex.requeue");
constexpr NameId kMemoryWrite = nameId("memory.write");

constexpr std::uint32_t kAnyBit = 0xffffffff;

/// The kernel compares a word and acts on the result in one step. Here that is two operations, since only the
/// program knows the word: one that compares, and one that does what follows from it. A thread between the
/// two is unsettled, and whatever could tell the difference waits until it is not.
struct Futex : Object<Futex> {
  static constexpr std::string_view kKind = "futex";
  WaitQueue queue;
  std::map<ThreadId, std::uint32_t> masks;  ///< Of waiters that only listen to certain bits.
  std::map<ThreadId, ObjectId> moved;  ///< Waiters that wait at another futex now, and do not know it yet.
  std::vector<ThreadId> unsettled;     ///< Before a wait; sorted.
  std::optional<ThreadId> looker;      ///< Unsettled before a requeue, which nobody else may be then.

  bool operator==(const Futex&) const = default;

  bool settled() const { return unsettled.empty() && !looker; }
  bool listens(ThreadId thread, std::uint32_t bits) const {
    auto mask = masks.find(thread);
    return mask == masks.end() || (mask->second & bits) != 0;
  }
  void forget(ThreadId thread) {
    masks.erase(thread);
    moved.erase(thread);
  }
  std::string describe(const Names&) const override {
    return std::to_string(queue.waiting.size()) + " waiting";
  }
};

class FutexTransition : public Transition {
 public:
  FutexTransition(const VisibleOp& op, const ModelState& state, std::initializer_list<ObjectId> objects)
      : Transition(op, objects), policy_(*state.policy("futex")) {}
  FutexTransition(const VisibleOp& op, const ModelState& state)
      : FutexTransition(op, state, {objectAt(op.object)}) {}

  bool enabled(const ModelState&) const override { return true; }

 protected:
  /// One that compares the word, which others may change by atomic operations.
  static std::array<ObjectId, 3> withWord(const VisibleOp& op) {
    constexpr std::uint64_t kWordSize = 8;  // where they meet
    return {objectAt(op.object), valueAt(op.object & ~(kWordSize - 1)), blockAt(op.object)};
  }
  bool meets(const Transition& other) const { return std::ranges::count(other.objects(), futexId()) > 0; }
  /// Is it a plain access that changes the word?
  bool isChangedBy(const Transition& other) const {
    std::uint64_t begin = other.visible().object;
    std::uint64_t size = std::max<std::uint64_t>(other.visible().args[0], 1);
    return other.op() == kMemoryWrite && begin < visible().object + sizeof(std::uint32_t) &&
           visible().object < begin + size;
  }
  FutexTransition(const VisibleOp& op, const ModelState& state, std::span<const ObjectId> objects)
      : Transition(op, objects), policy_(*state.policy("futex")) {}

  ObjectId futexId() const { return objects()[0]; }
  const Futex& futex(const ModelState& state) const { return state.get<Futex>(futexId()); }
  Futex& edit(ModelState& state) const { return state.edit<Futex>(futexId()); }
  const WakeupPolicy& policy() const { return policy_; }
  static bool wakes(const Transition& other) { return other.op() == kWake || other.op() == kRequeue; }
  static bool wantsAllSettled(const Transition& other) { return wakes(other) || other.op() == kLook; }
  std::string call(const char* function, const Names& names) const {
    return std::string(function) + "(" + names.object(futexId()) + ")";
  }

 private:
  const WakeupPolicy& policy_;
};

/// A wait compares the word. That others compare it as well makes no difference.
class Compare : public FutexTransition {
 public:
  Compare(const VisibleOp& op, const ModelState& state) : FutexTransition(op, state, withWord(op)) {}
  bool enabled(const ModelState& state) const override { return !futex(state).looker; }
  Result apply(ModelState& state) const override {
    auto& unsettled = edit(state).unsettled;
    unsettled.insert(std::ranges::lower_bound(unsettled, thread()), thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override {
    return (meets(other) && wantsAllSettled(other)) || isChangedBy(other);
  }
  std::string describe(const Names& names) const override { return call("futex_wait", names); }
};

/// A requeue compares the word.
class Look : public FutexTransition {
 public:
  Look(const VisibleOp& op, const ModelState& state) : FutexTransition(op, state, withWord(op)) {}
  bool enabled(const ModelState& state) const override { return futex(state).settled(); }
  Result apply(ModelState& state) const override {
    edit(state).looker = thread();
    return 0;
  }
  bool dependentWith(const Transition& other) const override {
    return (meets(other) && other.op() != kLeave) || isChangedBy(other);
  }
  std::string describe(const Names& names) const override { return call("futex_cmp_requeue", names); }
};

/// What follows the comparison of a wait: nobody wakes anybody meanwhile.
class Settle : public FutexTransition {
 public:
  using FutexTransition::FutexTransition;
  bool enabled(const ModelState& state) const override {
    return std::ranges::binary_search(futex(state).unsettled, thread());
  }
  bool dependentWith(const Transition& other) const override { return wantsAllSettled(other); }
  bool coenabledWith(const Transition& other) const override { return !wantsAllSettled(other); }
};

class Differs : public Settle {
 public:
  using Settle::Settle;
  Result apply(ModelState& state) const override {
    std::erase(edit(state).unsettled, thread());
    return 0;
  }
  std::string describe(const Names& names) const override {
    return "finds another value in " + names.object(futexId());
  }
};

/// Argument: the bits that the waiter listens to.
class Enqueue : public Settle {
 public:
  using Settle::Settle;
  Result apply(ModelState& state) const override {
    Futex& futex = edit(state);
    std::erase(futex.unsettled, thread());
    auto mask = static_cast<std::uint32_t>(visible().args[0]);
    if (mask != kAnyBit) futex.masks[thread()] = mask;
    policy().enqueue(futex.queue, thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override {
    bool meets = other.op() == kEnqueue || other.op() == kLeave;
    return Settle::dependentWith(other) || (meets && policy().orderMatters());
  }
  std::string describe(const Names& names) const override {
    return "begins to wait at " + names.object(futexId());
  }
};

/// The end of a wait. With a time limit it may end at any time. Returns 0, ETIMEDOUT, or the address of the
/// futex where the thread has to wait from now on. Argument: is there a time limit?
class Leave : public FutexTransition {
 public:
  using FutexTransition::FutexTransition;
  bool enabled(const ModelState& state) const override {
    const Futex& futex = this->futex(state);
    return timed() || futex.moved.contains(thread()) || policy().mayLeave(futex.queue, thread());
  }
  Result apply(ModelState& state) const override {
    Futex& futex = edit(state);
    auto moved = futex.moved.find(thread());
    if (moved != futex.moved.end()) {
      auto to = static_cast<Result>(addressOf(moved->second));
      futex.moved.erase(moved);
      return to;
    }
    bool granted = policy().leave(futex.queue, thread());
    futex.forget(thread());
    return granted || !timed() ? 0 : ETIMEDOUT;
  }
  bool dependentWith(const Transition& other) const override {
    return wakes(other) || other.op() == kLeave || (other.op() == kEnqueue && policy().orderMatters());
  }
  bool failed(Result result) const override { return result == ETIMEDOUT; }
  std::string describe(const Names& names) const override { return "wakes up from " + describeWait(names); }
  std::string describeWait(const Names& names) const override { return call("futex_wait", names); }
  std::string describeResult(Result result) const override {
    return result == 0 ? "" : result == ETIMEDOUT ? "ETIMEDOUT" : "to wait elsewhere";
  }

 private:
  bool timed() const { return visible().args[0] != 0; }
};

std::string threads(Result count) {
  return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

/// Arguments: how many waiters at most, and which bits. Returns how many.
class Wake : public FutexTransition {
 public:
  using FutexTransition::FutexTransition;
  bool enabled(const ModelState& state) const override { return futex(state).settled(); }
  Result apply(ModelState& state) const override {
    return futex(state).queue.empty() ? 0 : wake(edit(state));
  }
  bool failed(Result) const override { return false; }
  std::string describe(const Names& names) const override { return call("futex_wake", names); }
  std::string describeResult(Result result) const override { return threads(result); }

 private:
  /// Those who do not listen are kept aside while the policy decides among the others.
  Result wake(Futex& futex) const {
    auto bits = static_cast<std::uint32_t>(visible().args[1]);
    auto deaf = [&](ThreadId thread) { return !futex.listens(thread, bits); };
    auto anyDeaf = [&](const auto& grant) { return std::ranges::any_of(grant, deaf); };
    WaitQueue asked = futex.queue;
    std::erase_if(asked.waiting, deaf);
    std::erase_if(asked.grants, anyDeaf);
    std::size_t before = asked.grants.size();
    for (std::uint64_t i = 0; i < visible().args[0]; ++i) {
      std::size_t soFar = asked.grants.size();
      policy().grantOne(asked);
      if (asked.grants.size() == soFar) break;
    }
    auto called = [&](ThreadId thread) {
      return !deaf(thread) && std::ranges::count(asked.waiting, thread) == 0;
    };
    std::erase_if(futex.queue.waiting, called);
    std::erase_if(futex.queue.grants, std::not_fn(anyDeaf));
    futex.queue.grants.insert(futex.queue.grants.end(), asked.grants.begin(), asked.grants.end());
    return static_cast<Result>(asked.grants.size() - before);
  }
};

/// Wakes some waiters and has others wait at another futex. Which ones is the kernel's choice; here those in
/// front. Arguments: the other futex; how many to wake, and above it how many to move; whether the word was
/// compared.
class Requeue : public FutexTransition {
 public:
  Requeue(const VisibleOp& op, const ModelState& state)
      : FutexTransition(op, state, {objectAt(op.object), objectAt(op.args[0])}) {}

  bool enabled(const ModelState& state) const override {
    return compared() ? futex(state).looker == thread() : futex(state).settled();
  }
  Result apply(ModelState& state) const override {
    edit(state).looker.reset();
    settleGrants(edit(state).queue);
    Result count = 0;
    for (std::uint64_t i = most(0); i > 0 && wakeFirst(edit(state)); --i) ++count;
    for (std::uint64_t i = most(32); i > 0 && moveFirst(state); --i) ++count;
    return count;
  }
  bool failed(Result) const override { return false; }
  std::string describe(const Names& names) const override {
    if (compared() && visible().args[1] == 0) return "finds another value in " + names.object(futexId());
    return "futex_requeue(" + names.object(futexId()) + ", " + names.object(objects()[1]) + ")";
  }
  std::string describeResult(Result result) const override { return threads(result); }

 private:
  bool compared() const { return visible().args[2] != 0; }
  std::uint32_t most(int shift) const { return static_cast<std::uint32_t>(visible().args[1] >> shift); }

  /// Grants that several threads could use go to the first of them: the others are to be moved.
  static void settleGrants(WaitQueue& queue) {
    std::vector<std::vector<ThreadId>> shared = std::exchange(queue.grants, {});
    for (std::vector<ThreadId>& grant : shared) {
      std::erase_if(grant, [&](ThreadId thread) { return queue.granted(thread); });
      if (grant.empty()) continue;
      queue.grants.push_back({grant.front()});
      std::erase(queue.waiting, grant.front());
    }
  }
  static bool wakeFirst(Futex& futex) {
    if (futex.queue.waiting.empty()) return false;
    futex.queue.grants.push_back({futex.queue.waiting.front()});
    futex.queue.waiting.erase(futex.queue.waiting.begin());
    return true;
  }
  bool moveFirst(ModelState& state) const {
    Futex& from = edit(state);
    if (objects()[0] == objects()[1] || from.queue.waiting.empty()) return false;
    ThreadId thread = from.queue.waiting.front();
    from.queue.waiting.erase(from.queue.waiting.begin());
    from.moved[thread] = objects()[1];
    Futex& to = state.edit<Futex>(objects()[1]);
    if (auto mask = from.masks.find(thread); mask != from.masks.end()) to.masks.insert(*mask);
    from.masks.erase(thread);
    policy().enqueue(to.queue, thread);
    return true;
  }
};

}  // namespace

MCMINI_PLUGIN("futex", catalog) {
  catalog.add<Compare>("futex.compare");
  catalog.add<Look>("futex.look");
  catalog.add<Differs>("futex.differs");
  catalog.add<Enqueue>("futex.enqueue");
  catalog.add<Leave>("futex.leave");
  catalog.add<Wake>("futex.wake");
  catalog.add<Requeue>("futex.requeue");

  constexpr std::uint64_t kAll = 1000;
  Catalog::Calls calls = callsOf({"futex.compare", "futex.look", "futex.differs"}, 8);
  calls.push_back({"futex.enqueue", 8, {kAnyBit}});
  for (std::uint64_t timed : {0U, 1U}) calls.push_back({"futex.leave", 8, {timed}});
  for (std::uint64_t most : {std::uint64_t{1}, kAll}) calls.push_back({"futex.wake", 8, {most, kAnyBit}});
  for (std::uint64_t compared : {0U, 1U})
    calls.push_back({"futex.requeue", 8, {16, 1ULL << 32 | 1, compared}});
  calls.push_back({"futex.leave", 16});
  calls.push_back({"futex.wake", 16, {1, kAnyBit}});
  catalog.addTrial(calls);
  calls = callsOf({"futex.compare", "futex.differs", "futex.leave"}, 8);
  for (std::uint64_t bits : {1U, 3U}) calls.push_back({"futex.enqueue", 8, {bits}});
  calls.push_back({"futex.wake", 8, {1, 1}});
  calls.push_back({"futex.wake", 8, {kAll, 2}});
  catalog.addTrial(calls);
}
