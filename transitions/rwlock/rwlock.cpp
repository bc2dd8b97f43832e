#include <cerrno>

#include "transitions/rwlock/lock.hpp"

namespace {

using namespace mcmini;

/// What an operation is to the others at the same lock.
enum class Role : std::uint8_t { Read, Write, TryWrite, Want, EndRead, EndWrite, ReadTurn, Other };

constexpr std::array kOperations = {
    nameId("rwlock.rdlock"),     nameId("rwlock.tryrdlock"), nameId("rwlock.timedrdlock"),
    nameId("rwlock.wrlock"),     nameId("rwlock.trywrlock"), nameId("rwlock.timedwrlock"),
    nameId("rwlock.want_write"), nameId("rwlock.unlock"),    nameId("rwlock.acquire_read"),
};

/// Arguments of every operation: the kind of the lock, whether a time limit is none, whether the memory
/// cannot be that of a lock; from the third bit of that on, how often it had been destroyed before.
class RwlockTransition : public Transition {
 public:
  RwlockTransition(const VisibleOp& op, const ModelState& state, const char* call, Role role)
      : Transition(op, {objectAt(op.object)}), call_(call), role_(role), policy_(*state.policy("rwlock")) {}

  bool enabled(const ModelState&) const override { return true; }
  MemoryOrder memoryOrder(Result result) const override { return memory_order::unlessRefused(result); }
  std::string describe(const Names& names) const override {
    return calledAs(call_) + "(" + names.object(id()) + ")";
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    std::string use =
        names.thread(thread()) + " calls " + calledAs(call_) + " on " + names.object(id()) + ", which ";
    if (isOfFormerLife(state)) return use + "has been destroyed";
    if ((visible().args[2] & 1) != 0) return use + "was never initialized";
    return std::nullopt;
  }
  bool dependentWith(const Transition& other) const override;
  bool coenabledWith(const Transition& other) const override;

 protected:
  ObjectId id() const { return objects()[0]; }
  const Rwlock& lock(const ModelState& state) const { return state.get<Rwlock>(id()); }
  Rwlock& edit(ModelState& state) const { return state.edit<Rwlock>(id()); }
  /// Do readers wait while a writer waits?
  bool prefersWriters() const { return preference() == Preference::Writers; }
  Preference preference() const {
    return static_cast<Preference>(std::min<std::uint64_t>(visible().args[0], 2));
  }
  const WakeupPolicy& policy() const { return policy_; }
  bool enqueues() const { return policy_.enqueues(); }
  bool isWriter(const ModelState& state) const { return lock(state).writer == thread(); }
  bool isOfFormerLife(const ModelState& state) const {
    return (visible().args[2] >> 2) < lock(state).destructions;
  }
  Result outOfTime() const { return visible().args[1] != 0 ? EINVAL : ETIMEDOUT; }

  /// Of a thread that has not queued up.
  bool canRead(const ModelState& state) const {
    const Rwlock& now = lock(state);
    if (!now.hasRoomForReader() || (prefersWriters() && !now.wanting.empty())) return false;
    return preference() != Preference::Neither || now.readersWait.empty();
  }
  Result read(ModelState& state) const {
    edit(state).destroyed = false;
    insert(edit(state).readers, thread());
    return 0;
  }
  bool canWrite(const ModelState& state) const { return lock(state).hasRoomForWriter(); }
  WaitQueue& writersQueue(ModelState& state) const {
    return preference() == Preference::Neither ? edit(state).readersWait : edit(state).writersWait;
  }
  Result write(ModelState& state) const {
    eraseOne(edit(state).wanting, thread());
    edit(state).destroyed = false;
    edit(state).writer = thread();
    return 0;
  }
  /// To wait for a lock that the thread has locked for writing itself.
  std::optional<std::string> relocks(const ModelState& state, const Names& names, const char* what) const {
    if (auto general = RwlockTransition::misuse(state, names)) return general;
    if (!isWriter(state)) return std::nullopt;
    return names.thread(thread()) + " locks " + names.object(id()) + what +
           ", which it has locked for writing already: it waits for itself, or gets EDEADLK";
  }

 private:
  static Role roleOf(const Transition& other) {
    bool known = std::ranges::find(kOperations, other.op()) != kOperations.end();
    return known ? static_cast<const RwlockTransition&>(other).role_ : Role::Other;
  }
  bool ordered(Role first, Role second) const;

  const char* call_;
  Role role_;
  const WakeupPolicy& policy_;
};

/// Does an operation of the first role care for one of the second?
bool RwlockTransition::ordered(Role first, Role second) const {
  auto isOneOf = [&](std::initializer_list<Role> roles) { return std::ranges::count(roles, second) > 0; };
  switch (first) {
    case Role::Read:  // a writer that gets in, having waited where readers do not pass it, changes nothing
                      // for them
      return !isOneOf({Role::Read, Role::EndRead}) && !(prefersWriters() && second == Role::Write);
    case Role::Want:
      return isOneOf({Role::Read, Role::Other});
    case Role::EndRead:
      return !isOneOf({Role::Read, Role::EndRead, Role::Want});
    case Role::EndWrite:
      return second != Role::Want;
    default:
      return true;
  }
}

/// Queues keep the order of nearly everything.
bool RwlockTransition::dependentWith(const Transition& other) const {
  if (enqueues()) return role_ != Role::ReadTurn || roleOf(other) != Role::ReadTurn;
  return ordered(role_, roleOf(other)) && ordered(roleOf(other), role_);
}

/// Who holds it keeps those out who have to wait for it.
bool RwlockTransition::coenabledWith(const Transition& other) const {
  if (enqueues()) return true;
  auto excluded = [](Role ends, Role begins) {
    if (ends == Role::EndRead) return begins == Role::Write || begins == Role::EndWrite;
    return ends == Role::EndWrite &&
           (begins == Role::Write || begins == Role::EndRead || begins == Role::EndWrite);
  };
  Role theirs = roleOf(other);
  return !excluded(role_, theirs) && !excluded(theirs, role_);
}

class Init : public RwlockTransition {
 public:
  Init(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_init", Role::Other) {}
  Result apply(ModelState& state) const override {
    edit(state) = Rwlock{};
    edit(state).initialized = true;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (!lock(state).isHeld() && !lock(state).isWaitedFor()) return std::nullopt;
    return names.thread(thread()) + " initializes " + names.object(id()) + " again while " +
           (lock(state).isHeld() ? names.thread(lock(state).holders().front()) + " holds it"
                                 : "threads wait for it");
  }
};

class Rdlock : public RwlockTransition {
 public:
  Rdlock(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_rdlock", Role::Read) {}
  bool enabled(const ModelState& state) const override {
    return enqueues() || canRead(state) || isWriter(state);
  }
  Result apply(ModelState& state) const override {
    if (isWriter(state)) return EDEADLK;
    if (!enqueues()) return read(state);
    edit(state).destroyed = false;
    policy().enqueue(edit(state).readersWait, thread());
    edit(state).letIn(policy(), preference());
    return kQueued;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    return relocks(state, names, " for reading");
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override {
    return lock(state).writer ? lock(state).holders() : lock(state).wanting;
  }
};

/// The second halves, where threads queue up: who has its turn gets in.
class AcquireRead : public RwlockTransition {
 public:
  AcquireRead(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_rdlock", Role::ReadTurn) {}
  bool enabled(const ModelState& state) const override {
    const Rwlock& now = lock(state);
    if (policy().orderMatters()) return !now.writer && policy().mayLeave(now.readersWait, thread());
    return !now.writer && (!prefersWriters() || now.wanting.empty());
  }
  Result apply(ModelState& state) const override {
    policy().leave(edit(state).readersWait, thread());
    read(state);
    edit(state).letIn(policy(), preference());
    return 0;
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return lock(state).holders(); }
  std::string describe(const Names& names) const override {
    return "gets " + names.object(id()) + " for reading";
  }
  std::string describeWait(const Names& names) const override { return RwlockTransition::describe(names); }
};

class AcquireWrite : public RwlockTransition {
 public:
  AcquireWrite(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_wrlock", Role::Other) {}
  bool enabled(const ModelState& state) const override {
    const Rwlock& now = lock(state);
    const WaitQueue& queue = preference() == Preference::Neither ? now.readersWait : now.writersWait;
    return !now.isHeld() && (!policy().orderMatters() || policy().mayLeave(queue, thread()));
  }
  Result apply(ModelState& state) const override {
    policy().leave(writersQueue(state), thread());
    return write(state);
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return lock(state).holders(); }
  std::string describe(const Names& names) const override {
    return "gets " + names.object(id()) + " for writing";
  }
  std::string describeWait(const Names& names) const override { return RwlockTransition::describe(names); }
};

class Tryrdlock : public RwlockTransition {
 public:
  Tryrdlock(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_tryrdlock", Role::Read) {}
  Result apply(ModelState& state) const override { return canRead(state) ? read(state) : EBUSY; }
};

/// Time is up as soon as the lock is not to be had: how long others take is theirs to say.
class Timedrdlock : public RwlockTransition {
 public:
  Timedrdlock(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_timedrdlock", Role::Read) {}
  Result apply(ModelState& state) const override {
    if (isWriter(state)) return EDEADLK;
    return canRead(state) ? read(state) : outOfTime();
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    return relocks(state, names, " for reading");
  }
};

/// A writer that readers let pass comes into view before it waits.
class WantWrite : public RwlockTransition {
 public:
  WantWrite(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_wrlock", Role::Want) {}
  Result apply(ModelState& state) const override {
    if (!enqueues()) insert(edit(state).wanting, thread());
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    return relocks(state, names, " for writing");
  }
  std::string describe(const Names& names) const override {
    return "begins " + RwlockTransition::describe(names);
  }
};

class Wrlock : public RwlockTransition {
 public:
  Wrlock(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_wrlock", Role::Write) {}
  bool enabled(const ModelState& state) const override {
    bool asked = !prefersWriters() || lock(state).wants(thread());
    return enqueues() || (asked && canWrite(state)) || isWriter(state) || lock(state).destroyed;
  }
  Result apply(ModelState& state) const override {
    if (isWriter(state)) return EDEADLK;
    if (!enqueues()) return write(state);
    edit(state).destroyed = false;
    insert(edit(state).wanting, thread());
    policy().enqueue(writersQueue(state), thread());
    edit(state).letIn(policy(), preference());
    return kQueued;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    return relocks(state, names, " for writing");
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return lock(state).holders(); }
};

class Trywrlock : public RwlockTransition {
 public:
  Trywrlock(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_trywrlock", Role::TryWrite) {}
  Result apply(ModelState& state) const override { return canWrite(state) ? write(state) : EBUSY; }
};

class Timedwrlock : public RwlockTransition {
 public:
  Timedwrlock(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_timedwrlock", Role::TryWrite) {}
  Result apply(ModelState& state) const override {
    if (isWriter(state)) return EDEADLK;
    if (canWrite(state)) return write(state);
    if (lock(state).wants(thread())) eraseOne(edit(state).wanting, thread());
    return outOfTime();
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    return relocks(state, names, " for writing");
  }
};

class Unlock : public RwlockTransition {
 public:
  Unlock(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_unlock",
                         roleIn(state.get<Rwlock>(objectAt(op.object)), op.thread)) {}

  Result apply(ModelState& state) const override {
    if (isWriter(state))
      edit(state).writer.reset();
    else
      eraseOne(edit(state).readers, thread());
    edit(state).letIn(policy(), preference());
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = RwlockTransition::misuse(state, names)) return general;
    const Rwlock& held = lock(state);
    if (held.writer == thread() || held.reads(thread())) return std::nullopt;
    return names.thread(thread()) + " unlocks " + names.object(id()) + ", which " +
           (held.isHeld() ? names.thread(held.holders().front()) + " holds" : "is not locked");
  }

 private:
  /// Others cannot change what the thread itself has.
  static Role roleIn(const Rwlock& lock, ThreadId thread) {
    return lock.writer == thread ? Role::EndWrite : lock.reads(thread) ? Role::EndRead : Role::Other;
  }
};

class Destroy : public RwlockTransition {
 public:
  Destroy(const VisibleOp& op, const ModelState& state)
      : RwlockTransition(op, state, "pthread_rwlock_destroy", Role::Other) {}
  Result apply(ModelState& state) const override {
    std::uint64_t before = lock(state).destructions;
    edit(state) = Rwlock{};
    edit(state).destroyed = true;
    edit(state).destructions = before + 1;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = RwlockTransition::misuse(state, names)) return general;
    if (lock(state).isWaitedFor())
      return names.thread(thread()) + " destroys " + names.object(id()) + " while threads wait for it";
    if (!lock(state).isHeld()) return std::nullopt;
    ThreadId holder = lock(state).holders().front();
    return names.thread(thread()) + " destroys " + names.object(id()) + " while " +
           (holder == thread() ? "it" : names.thread(holder)) + " holds it";
  }
};

}  // namespace

MCMINI_PLUGIN("rwlock", catalog) {
  catalog.add<Init>("rwlock.init");
  catalog.add<Rdlock>("rwlock.rdlock");
  catalog.add<AcquireRead>("rwlock.acquire_read");
  catalog.add<AcquireWrite>("rwlock.acquire_write");
  catalog.add<Tryrdlock>("rwlock.tryrdlock");
  catalog.add<Timedrdlock>("rwlock.timedrdlock");
  catalog.add<WantWrite>("rwlock.want_write");
  catalog.add<Wrlock>("rwlock.wrlock");
  catalog.add<Trywrlock>("rwlock.trywrlock");
  catalog.add<Timedwrlock>("rwlock.timedwrlock");
  catalog.add<Unlock>("rwlock.unlock");
  catalog.add<Destroy>("rwlock.destroy");

  catalog.addSequel({"rwlock.rdlock", "rwlock.acquire_read", kQueued});
  catalog.addSequel({"rwlock.wrlock", "rwlock.acquire_write", kQueued});
  for (const char* second : {"rwlock.wrlock", "rwlock.timedwrlock"})
    catalog.addSequel({"rwlock.want_write", second});
  for (Preference kind : {Preference::Readers, Preference::Neither, Preference::Writers}) {
    std::array<std::uint64_t, 3> args = {static_cast<std::uint64_t>(kind)};
    Catalog::Calls calls = callsOf({"rwlock.init", "rwlock.rdlock", "rwlock.tryrdlock", "rwlock.timedrdlock",
                                    "rwlock.trywrlock", "rwlock.unlock", "rwlock.destroy"},
                                   8, args);
    if (kind == Preference::Writers)
      calls.push_back({"rwlock.want_write", 8, args});
    else
      for (const char* name : {"rwlock.wrlock", "rwlock.timedwrlock"}) calls.push_back({name, 8, args});
    catalog.addTrial(calls);
  }
}
