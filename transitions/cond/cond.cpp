#include <cerrno>

#include "plugins/cancel.hpp"
#include "plugins/mutex.hpp"
#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kWake = nameId("cond.wake");
constexpr NameId kLock = nameId("mutex.lock");
constexpr NameId kAcquire = nameId("mutex.acquire");

struct Cond : Object<Cond> {
  static constexpr std::string_view kKind = "cond";
  WaitQueue queue;
  ObjectId mutex{0};  ///< The one that its waiters gave back.
  std::uint32_t waiters = 0;
  bool initialized = false;  ///< By a call; not by a static initializer.
  bool destroyed = false;
  /// How often it was destroyed since a call made it: its memory may have become another one without a call.
  std::uint64_t destructions = 0;

  bool operator==(const Cond&) const = default;
  bool leftBehind() const override { return initialized; }

  /// Threads that have been woken, but have not got the mutex back yet, do not need it any more: it may be
  /// destroyed and be used for something new.
  bool isWaitedFor() const { return waiters > queue.grants.size(); }
  Result begin(bool anew) {
    std::uint64_t before = destructions;
    if (waiters == 0) *this = Cond{};
    destructions = anew ? 0 : before + 1;
    initialized = anew;
    destroyed = !anew;
    return 0;
  }
  std::string describe(const Names&) const override {
    if (destroyed) return "destroyed";
    std::string words = waiters == 0   ? "nobody waits"
                        : waiters == 1 ? "1 thread waits"
                                       : std::to_string(waiters) + " threads wait";
    return queue.grants.empty() ? words : words + ", " + std::to_string(queue.grants.size()) + " woken";
  }
};

/// Arguments: of a wait the mutex, and whether the thread has disabled its cancellation; of every operation,
/// as the third, whether the memory cannot be that of a condition variable; from its third bit on, how often
/// it had been destroyed before.
class CondTransition : public Transition {
 public:
  CondTransition(const VisibleOp& op, const ModelState& state, std::initializer_list<ObjectId> objects)
      : Transition(op, objects), policy_(*state.policy("cond")), mutexPolicy_(*state.policy("mutex")) {}

  bool enabled(const ModelState&) const override { return true; }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    std::string use = names.thread(thread()) + " calls " + describe(names);
    if (isOfFormerLife(state) && !endsAWait())
      return use + ", but " + names.object(condId()) + " has been destroyed";
    if (looksInitialized()) return std::nullopt;
    Cond unused;
    unused.initialized = cond(state).initialized;
    unused.destructions = cond(state).destructions;
    if (cond(state) != unused) return std::nullopt;
    return use + ", but " +
           (unused.initialized ? "the memory of " + names.object(condId()) + " has been overwritten"
                               : names.object(condId()) + " was never initialized");
  }

 protected:
  /// Who has been woken does not need the condition variable any more.
  virtual bool endsAWait() const { return false; }

  ObjectId condId() const { return objects()[0]; }
  const Cond& cond(const ModelState& state) const { return state.get<Cond>(condId()); }
  Cond& edit(ModelState& state) const { return state.edit<Cond>(condId()); }
  const WakeupPolicy& policy() const { return policy_; }
  const WakeupPolicy& mutexPolicy() const { return mutexPolicy_; }
  bool looksInitialized() const { return (visible().args[2] & 1) == 0; }
  bool isOfFormerLife(const ModelState& state) const {
    return (visible().args[2] >> 2) < cond(state).destructions;
  }
  std::string call(const char* function, const Names& names) const {
    return calledAs(function) + "(" + names.object(condId()) + ")";
  }

 private:
  const WakeupPolicy& policy_;
  const WakeupPolicy& mutexPolicy_;
};

/// An operation of a wait, which gives a mutex back or takes it.
class WaitTransition : public CondTransition {
 public:
  using CondTransition::CondTransition;

 protected:
  ObjectId mutexId() const { return objectAt(visible().args[0]); }
  const Mutex& mutex(const ModelState& state) const { return state.get<Mutex>(mutexId()); }
  bool mayBeCanceled() const { return visible().args[1] == 0; }
  bool canceled(const ModelState& state) const { return mayBeCanceled() && cancelRequested(*this, state); }
  bool meetsAtMutex(const Transition& other) const {
    return std::ranges::find(other.objects(), mutexId()) != other.objects().end();
  }
  std::string waitCall(const Names& names) const {
    return calledAs("pthread_cond_wait") + "(" + names.object(condId()) + ", " + names.object(mutexId()) +
           ")";
  }
};

/// The first half of a wait: gives the mutex back and joins the queue. Until then the mutex's owner keeps
/// those out who wait for it.
class Enqueue : public WaitTransition {
 public:
  Enqueue(const VisibleOp& op, const ModelState& state)
      : WaitTransition(op, state, {objectAt(op.object), objectAt(op.args[0])}),
        isOwners_(mutex(state).ownedBy(op.thread)) {}

  Result apply(ModelState& state) const override {
    state.edit<Mutex>(mutexId()).release(mutexPolicy());
    Cond& cond = edit(state);
    cond.destroyed = false;
    cond.mutex = mutexId();
    ++cond.waiters;
    policy().enqueue(cond.queue, thread());
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = CondTransition::misuse(state, names)) return general;
    std::string who = names.thread(thread());
    if (!mutex(state).ownedBy(thread()))
      return who + " waits on " + names.object(condId()) + " without holding " + names.object(mutexId());
    if (cond(state).isWaitedFor() && cond(state).mutex != mutexId())
      return who + " waits on " + names.object(condId()) + " with " + names.object(mutexId()) +
             ", while others wait on it with " + names.object(cond(state).mutex);
    return std::nullopt;
  }
  bool coenabledWith(const Transition& other) const override {
    bool waits = other.op() == kLock || other.op() == kWake;
    if (!isOwners_ || !meetsAtMutex(other)) return true;
    return other.op() != kAcquire && (!waits || mutexPolicy().enqueues());
  }
  bool dependentWith(const Transition& other) const override {
    return other.op() != kLock || !mutexPolicy().enqueues() ||
           joiningDependsOn(mutexPolicy(), QueueRole::GivesBack);
  }
  std::string describe(const Names& names) const override { return waitCall(names); }

 private:
  bool isOwners_;  // others cannot change that
};

/// The second half: leaves the queue and takes the mutex again, or joins the mutex's queue.
class Wake : public WaitTransition {
 public:
  bool endsAWait() const override { return true; }
  Wake(const VisibleOp& op, const ModelState& state) : Wake(op, state, objectAt(op.args[0])) {}

  bool enabled(const ModelState& state) const override {
    return (woken(state) || canceled(state) || mayLeaveForNoReason(state)) && canTakeMutex(state);
  }
  Result apply(ModelState& state) const override {
    bool granted = leave(state);
    Result taken = take(state);
    if (canceled(state)) return (taken & kQueued) | ECANCELED;
    if (granted) return taken;
    ++edit(state).queue.spurious;
    return taken | kSpurious;
  }
  bool dependentWith(const Transition& other) const override {
    return (other.op() == kCancel && mayBeCanceled()) || meetsBesidesThread(*this, other);
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = CondTransition::misuse(state, names)) return general;
    if (!takesMutex() || !mutex(state).destroyed) return std::nullopt;
    return names.thread(thread()) + " " + describe(names) + ", but " + names.object(mutexId()) +
           " has been destroyed";
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override {
    return woken(state) ? mutex(state).holders() : std::vector<ThreadId>{};
  }
  bool byChance(Result result) const override { return (result & kSpurious) != 0; }
  std::string describeResult(Result result) const override {
    if ((result & kSpurious) != 0) return "woken spuriously, nobody had signalled";
    return (result & ~kQueued) == 0 ? "" : WaitTransition::describeResult(result & ~kQueued);
  }
  std::string tip(Result result) const override {
    if ((result & kSpurious) == 0) return "";
    return "a wait may end though nobody has signalled: call " + calledAs("pthread_cond_wait") +
           " in a loop, `while (!condition)`, not after an `if`";
  }
  std::string describe(const Names& names) const override { return "wakes up from " + waitCall(names); }
  std::string describeWait(const Names& names) const override { return waitCall(names); }

 protected:
  /// Itself, rather than in a step after it?
  virtual bool takesMutex() const { return true; }

  /// `second`: an object besides the condition variable.
  Wake(const VisibleOp& op, const ModelState& state, ObjectId second)
      : WaitTransition(op, state, {objectAt(op.object), second, objectOf(op.thread)}) {}

  bool woken(const ModelState& state) const { return policy().mayLeave(cond(state).queue, thread()); }
  bool mayLeaveForNoReason(const ModelState& state) const {
    return cond(state).queue.spurious < state.spuriousWakeups(policy());
  }
  bool canTakeMutex(const ModelState& state) const {
    return mutexPolicy().enqueues() || mutex(state).free() || isMine(state);
  }
  /// Its own still, if it was locked more than once.
  bool isMine(const ModelState& state) const { return mutex(state).ownedBy(thread()); }
  /// Who ends here leaves a signal to those who still wait.
  bool leave(ModelState& state) const {
    --edit(state).waiters;
    bool granted = policy().leave(edit(state).queue, thread());
    if (granted && canceled(state)) policy().grantOne(edit(state).queue);
    return granted;
  }
  Result take(ModelState& state) const {
    auto& taken = state.edit<Mutex>(mutexId());
    if (mutexPolicy().enqueues() && !isMine(state)) {
      taken.join(mutexPolicy(), thread());
      return kQueued;
    }
    if (taken.unrecoverable) return ENOTRECOVERABLE;
    taken.take(thread());
    return taken.inconsistent ? EOWNERDEAD : 0;
  }
};

/// The second half of a wait with a time limit: at any time, for a reason or because the time is up. That may
/// be while somebody else has the mutex, whose signal then comes too late; so the mutex is taken in a third
/// step, unless it is the thread's own still.
class TimedWake : public Wake {
 public:
  TimedWake(const VisibleOp& op, const ModelState& state)
      : Wake(op, state, leavesMutex(op, state) ? objectOf(op.thread) : objectAt(op.args[0])),
        leavesMutex_(leavesMutex(op, state)) {}

  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState& state) const override {
    bool granted = leave(state);
    Result taken = leavesMutex_ ? kQueued : take(state);
    if (canceled(state)) return (taken & kQueued) | ECANCELED;
    return (taken & ~kQueued) != 0 || granted ? taken : taken | ETIMEDOUT;
  }

 protected:
  bool takesMutex() const override { return !leavesMutex_; }

 private:
  /// Does it have nothing to do with the mutex, not even with its queue? Others cannot change that.
  static bool leavesMutex(const VisibleOp& op, const ModelState& state) {
    return !state.policy("mutex")->enqueues() && !state.get<Mutex>(objectAt(op.args[0])).ownedBy(op.thread);
  }

  bool leavesMutex_;
};

/// An operation on the condition variable alone.
class CondOnly : public CondTransition {
 public:
  CondOnly(const VisibleOp& op, const ModelState& state) : CondTransition(op, state, {objectAt(op.object)}) {}
};

class WakingTransition : public CondOnly {
 public:
  using CondOnly::CondOnly;
  bool wakesNobody(const ModelState& before) const override {
    return cond(before).waiters <= cond(before).queue.grants.size();
  }
};

class Signal : public WakingTransition {
 public:
  using WakingTransition::WakingTransition;
  Result apply(ModelState& state) const override {
    if (cond(state).waiters > 0) policy().grantOne(edit(state).queue);
    return 0;
  }
  bool dependentWith(const Transition& other) const override { return other.op() != op(); }
  std::string describe(const Names& names) const override { return call("pthread_cond_signal", names); }
};

class Broadcast : public WakingTransition {
 public:
  using WakingTransition::WakingTransition;
  Result apply(ModelState& state) const override {
    if (cond(state).waiters > 0) policy().grantAll(edit(state).queue);
    return 0;
  }
  bool dependentWith(const Transition& other) const override { return other.op() != op(); }
  std::string describe(const Names& names) const override { return call("pthread_cond_broadcast", names); }
};

class Init : public CondOnly {
 public:
  using CondOnly::CondOnly;
  Result apply(ModelState& state) const override { return edit(state).begin(true); }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (!cond(state).isWaitedFor()) return std::nullopt;
    return names.thread(thread()) + " initializes " + names.object(condId()) +
           " again while threads wait on it";
  }
  std::string describe(const Names& names) const override { return call("pthread_cond_init", names); }
};

class Destroy : public CondOnly {
 public:
  using CondOnly::CondOnly;
  Result apply(ModelState& state) const override { return edit(state).begin(false); }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = CondTransition::misuse(state, names)) return general;
    if (!cond(state).isWaitedFor()) return std::nullopt;
    return names.thread(thread()) + " destroys " + names.object(condId()) + " while threads wait on it";
  }
  std::string describe(const Names& names) const override { return call("pthread_cond_destroy", names); }
};

}  // namespace

MCMINI_PLUGIN("cond", catalog) {
  catalog.add<Init>("cond.init");
  catalog.add<Enqueue>("cond.enqueue");
  catalog.add<Wake>("cond.wake");
  catalog.add<TimedWake>("cond.timedwake");
  catalog.add<Signal>("cond.signal");
  catalog.add<Broadcast>("cond.broadcast");
  catalog.add<Destroy>("cond.destroy");

  catalog.addSequel({"cond.enqueue", "cond.wake"});
  catalog.addSequel({"cond.enqueue", "cond.timedwake"});
  for (const char* wake : {"cond.wake", "cond.timedwake"})
    catalog.addSequel({wake, "mutex.acquire", kQueued, true});
  Catalog::Calls calls = callsOf({"cond.init", "cond.signal", "cond.broadcast", "cond.destroy"}, 8);
  calls.push_back({"cond.enqueue", 8, {16}});
  calls.push_back({"mutex.lock", 16});
  calls.push_back({"mutex.unlock", 16});
  catalog.addTrial(calls);
  calls.push_back({"thread.cancel", 1});
  catalog.addTrial(calls);
}
