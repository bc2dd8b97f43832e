#include <cerrno>

#include "plugins/mutex.hpp"
#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kLock = nameId("mutex.lock");
constexpr NameId kAcquire = nameId("mutex.acquire");
constexpr NameId kWake = nameId("cond.wake");
constexpr NameId kUnlock = nameId("mutex.unlock");
constexpr NameId kCondEnqueue = nameId("cond.enqueue");

QueueRole roleOf(const Transition& transition) {
  NameId op = transition.op();
  if (op == kLock) return QueueRole::Joins;
  if (op == kUnlock || op == kCondEnqueue) return QueueRole::GivesBack;
  return op == kAcquire ? QueueRole::TakesTurn : QueueRole::Other;
}

/// As pthread_mutexattr_settype numbers them; the fourth is glibc's adaptive one, another normal one.
enum class Type : std::uint64_t { Normal, Recursive, ErrorCheck, Adaptive };

/// Arguments of every operation: the type, whether it is robust, and two bits: whether the memory cannot be
/// that of a mutex, and whether a time limit is none; above them, how often it had been destroyed before.
class MutexTransition : public Transition {
 public:
  MutexTransition(const VisibleOp& op, const ModelState& state, const char* call)
      : Transition(op, {objectAt(op.object)}),
        call_(call),
        type_(static_cast<Type>(op.args[0])),
        policy_(*state.policy("mutex")) {}

  bool enabled(const ModelState&) const override { return true; }
  MemoryOrder memoryOrder(Result result) const override { return memory_order::unlessRefused(result); }
  bool dependentWith(const Transition& other) const override {
    if (!policy_.enqueues() || isRobust()) return true;  // a robust one may be lost for ever
    return dependAtQueue(policy_, roleOf(*this), roleOf(other));
  }
  std::string describe(const Names& names) const override {
    return calledAs(call_) + "(" + names.object(mutexId()) + ")";
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    std::string use = names.thread(thread()) + " calls " + calledAs(call_) + " on " + names.object(mutexId());
    if (isOfFormerLife(state)) return use + ", which has been destroyed";
    if (looksInitialized()) return std::nullopt;
    Mutex unused;
    unused.initialized = mutex(state).initialized;
    unused.destructions = mutex(state).destructions;
    if (mutex(state) != unused) return std::nullopt;
    return use +
           (unused.initialized ? ", whose memory has been overwritten" : ", which was never initialized");
  }

 protected:
  ObjectId mutexId() const { return objects()[0]; }
  const Mutex& mutex(const ModelState& state) const { return state.get<Mutex>(mutexId()); }
  Mutex& edit(ModelState& state) const { return state.edit<Mutex>(mutexId()); }
  bool isMine(const ModelState& state) const { return mutex(state).ownedBy(thread()); }
  Type type() const { return type_; }
  /// Does the mutex know its owner?
  bool checks() const { return type_ == Type::Recursive || type_ == Type::ErrorCheck || isRobust(); }
  bool isRobust() const { return visible().args[1] != 0; }
  bool looksInitialized() const { return (visible().args[2] & 1) == 0; }
  bool isOfFormerLife(const ModelState& state) const {
    return (visible().args[2] >> 2) < mutex(state).destructions;
  }

  /// Takes a mutex that is free, or recursive and the thread's own.
  Result take(ModelState& state) const {
    if (mutex(state).unrecoverable) return ENOTRECOVERABLE;
    Mutex& taken = edit(state);
    taken.robust = isRobust();
    taken.destroyed = false;
    taken.take(thread());
    return taken.inconsistent ? EOWNERDEAD : 0;
  }
  bool canTake(const ModelState& state) const { return mutex(state).leftOver() || relocks(state); }
  bool relocks(const ModelState& state) const { return isMine(state) && type_ == Type::Recursive; }
  const WakeupPolicy& policy() const { return policy_; }

 private:
  const char* call_;
  Type type_;
  const WakeupPolicy& policy_;
};

class Init : public MutexTransition {
 public:
  Init(const VisibleOp& op, const ModelState& state) : MutexTransition(op, state, "pthread_mutex_init") {}
  Result apply(ModelState& state) const override {
    edit(state) = Mutex{};
    edit(state).initialized = true;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (mutex(state).free()) return std::nullopt;
    return names.thread(thread()) + " initializes " + names.object(mutexId()) + " again while " +
           (isMine(state) ? "it" : names.thread(*mutex(state).owner)) + " holds it";
  }
};

/// Takes the mutex, or joins its queue, as the policy wants.
class Lock : public MutexTransition {
 public:
  Lock(const VisibleOp& op, const ModelState& state) : MutexTransition(op, state, "pthread_mutex_lock") {}

  bool enabled(const ModelState& state) const override {
    return policy().enqueues() || canTake(state) || isError(state);
  }
  Result apply(ModelState& state) const override {
    if (isError(state)) return EDEADLK;
    if (!policy().enqueues() || relocks(state)) return take(state);
    edit(state).destroyed = false;
    edit(state).join(policy(), thread());
    return kQueued;
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return mutex(state).holders(); }

 private:
  bool isError(const ModelState& state) const { return isMine(state) && type() == Type::ErrorCheck; }
};

/// The second half of a lock, or of a wait at a condition variable: takes the mutex when it is the thread's
/// turn.
class Acquire : public MutexTransition {
 public:
  Acquire(const VisibleOp& op, const ModelState& state) : MutexTransition(op, state, "pthread_mutex_lock") {}

  bool enabled(const ModelState& state) const override {
    return mutex(state).turns.mayTake(policy(), thread(), mutex(state).free() ? 1 : 0);
  }
  Result apply(ModelState& state) const override {
    edit(state).turns.leave(policy(), thread(), 1);
    Result result = take(state);
    if (mutex(state).free()) edit(state).turns.offer(policy(), 1);
    return result;
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override {
    return mutex(state).free() ? mutex(state).turns.next() : mutex(state).holders();
  }
  std::string describe(const Names& names) const override { return "gets " + names.object(mutexId()); }
  std::string describeWait(const Names& names) const override { return MutexTransition::describe(names); }
};

class Trylock : public MutexTransition {
 public:
  Trylock(const VisibleOp& op, const ModelState& state)
      : MutexTransition(op, state, "pthread_mutex_trylock") {}
  Result apply(ModelState& state) const override { return canTake(state) ? take(state) : EBUSY; }
};

/// Time is up as soon as the mutex is not to be had: how long others take is theirs to say.
class Timedlock : public MutexTransition {
 public:
  Timedlock(const VisibleOp& op, const ModelState& state)
      : MutexTransition(op, state, "pthread_mutex_timedlock") {}
  Result apply(ModelState& state) const override {
    if (canTake(state)) return take(state);
    if (isMine(state) && type() == Type::ErrorCheck) return EDEADLK;
    return (visible().args[2] & 2) != 0 ? EINVAL : ETIMEDOUT;
  }
};

/// Its owner's unlock keeps those out who wait for the mutex. Anybody else may try at any time, and be told.
class Unlock : public MutexTransition {
 public:
  Unlock(const VisibleOp& op, const ModelState& state)
      : MutexTransition(op, state, "pthread_mutex_unlock"), isOwners_(isMine(state)) {}

  Result apply(ModelState& state) const override {
    if (checks() && !isMine(state)) return EPERM;
    edit(state).release(policy());
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = MutexTransition::misuse(state, names)) return general;
    if (checks() || isMine(state)) return std::nullopt;
    std::string sentence = names.thread(thread()) + " unlocks " + names.object(mutexId()) + ", which ";
    const auto& owner = mutex(state).owner;
    return sentence + (owner ? names.thread(*owner) + " holds" : "is not locked");
  }
  bool coenabledWith(const Transition& other) const override {
    if (!isOwners_ || other.op() == kAcquire) return !isOwners_;
    bool waits = other.op() == kLock || other.op() == kWake;
    return !waits || policy().enqueues();
  }

 private:
  bool isOwners_;  // others cannot change that
};

class Destroy : public MutexTransition {
 public:
  Destroy(const VisibleOp& op, const ModelState& state)
      : MutexTransition(op, state, "pthread_mutex_destroy") {}

  Result apply(ModelState& state) const override {
    std::uint64_t before = mutex(state).destructions;
    edit(state) = Mutex{};
    edit(state).destroyed = true;
    edit(state).destructions = before + 1;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = MutexTransition::misuse(state, names)) return general;
    if (!mutex(state).turns.queue.empty())
      return names.thread(thread()) + " destroys " + names.object(mutexId()) + " while threads wait for it";
    if (mutex(state).free()) return std::nullopt;
    return names.thread(thread()) + " destroys " + names.object(mutexId()) + " while " +
           (isMine(state) ? "it" : names.thread(*mutex(state).owner)) + " holds it";
  }
};

class Consistent : public MutexTransition {
 public:
  Consistent(const VisibleOp& op, const ModelState& state)
      : MutexTransition(op, state, "pthread_mutex_consistent") {}
  Result apply(ModelState& state) const override {
    if (!isMine(state) || !mutex(state).inconsistent) return EINVAL;
    edit(state).inconsistent = false;
    return 0;
  }
};

}  // namespace

MCMINI_PLUGIN("mutex", catalog) {
  catalog.add<Init>("mutex.init");
  catalog.add<Lock>("mutex.lock");
  catalog.add<Acquire>("mutex.acquire");
  catalog.add<Trylock>("mutex.trylock");
  catalog.add<Timedlock>("mutex.timedlock");
  catalog.add<Unlock>("mutex.unlock");
  catalog.add<Destroy>("mutex.destroy");
  catalog.add<Consistent>("mutex.consistent");

  catalog.addSequel({"mutex.lock", "mutex.acquire", kQueued});
  for (Type type : {Type::Normal, Type::Recursive, Type::ErrorCheck})
    for (std::uint64_t robust : {0U, 1U})
      catalog.addTrial(callsOf({"mutex.init", "mutex.lock", "mutex.trylock", "mutex.timedlock",
                                "mutex.unlock", "mutex.destroy", "mutex.consistent", "thread.exit"},
                               8, {static_cast<std::uint64_t>(type), robust}));
}
