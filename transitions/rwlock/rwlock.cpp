#include <cerrno>

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

struct Rwlock : Object<Rwlock> {
  static constexpr std::string_view kKind = "rwlock";
  std::optional<ThreadId> writer;
  std::vector<ThreadId> readers;  ///< In the order of their ids, each as often as it has locked.
  std::vector<ThreadId>
      wanting;               ///< Writers that wait, where readers let them pass; in the order of their ids.
  bool initialized = false;  ///< By a call; not by a static initializer.
  bool destroyed = false;

  bool operator==(const Rwlock&) const = default;
  bool leftBehind() const override { return initialized; }
  bool reads(ThreadId thread) const { return std::ranges::count(readers, thread) > 0; }
  bool wants(ThreadId thread) const { return std::ranges::count(wanting, thread) > 0; }
  bool isHeld() const { return writer || !readers.empty(); }

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

void insert(std::vector<ThreadId>& threads, ThreadId thread) {
  threads.insert(std::ranges::lower_bound(threads, thread), thread);
}

void eraseOne(std::vector<ThreadId>& threads, ThreadId thread) {
  auto at = std::ranges::find(threads, thread);
  if (at != threads.end()) threads.erase(at);
}

/// What an operation is to the others at the same lock.
enum class Role : std::uint8_t { Read, Write, TryWrite, Want, EndRead, EndWrite, Other };

constexpr std::array kOperations = {
    nameId("rwlock.rdlock"),     nameId("rwlock.tryrdlock"), nameId("rwlock.timedrdlock"),
    nameId("rwlock.wrlock"),     nameId("rwlock.trywrlock"), nameId("rwlock.timedwrlock"),
    nameId("rwlock.want_write"), nameId("rwlock.unlock"),
};

/// Arguments of every operation: the kind of the lock, whether a time limit is none, whether the memory
/// cannot be that of a lock.
class RwlockTransition : public Transition {
 public:
  RwlockTransition(const VisibleOp& op, const char* call, Role role)
      : Transition(op, {objectAt(op.object)}), call_(call), role_(role) {}

  bool enabled(const ModelState&) const override { return true; }
  std::string describe(const Names& names) const override {
    return calledAs(call_) + "(" + names.object(id()) + ")";
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    std::string use =
        names.thread(thread()) + " calls " + calledAs(call_) + " on " + names.object(id()) + ", which ";
    if (lock(state).destroyed) return use + "has been destroyed";
    if (visible().args[2] != 0) return use + "was never initialized";
    return std::nullopt;
  }
  bool dependentWith(const Transition& other) const override;
  bool coenabledWith(const Transition& other) const override;

 protected:
  ObjectId id() const { return objects()[0]; }
  const Rwlock& lock(const ModelState& state) const { return state.get<Rwlock>(id()); }
  Rwlock& edit(ModelState& state) const { return state.edit<Rwlock>(id()); }
  /// Do readers wait while a writer waits?
  bool prefersWriters() const { return visible().args[0] == 2; }
  bool isWriter(const ModelState& state) const { return lock(state).writer == thread(); }
  Result outOfTime() const { return visible().args[1] != 0 ? EINVAL : ETIMEDOUT; }

  bool canRead(const ModelState& state) const {
    return !lock(state).writer && (!prefersWriters() || lock(state).wanting.empty());
  }
  Result read(ModelState& state) const {
    insert(edit(state).readers, thread());
    return 0;
  }
  bool canWrite(const ModelState& state) const { return !lock(state).isHeld(); }
  Result write(ModelState& state) const {
    eraseOne(edit(state).wanting, thread());
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

bool RwlockTransition::dependentWith(const Transition& other) const {
  return ordered(role_, roleOf(other)) && ordered(roleOf(other), role_);
}

/// Who holds it keeps those out who have to wait for it.
bool RwlockTransition::coenabledWith(const Transition& other) const {
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
  explicit Init(const VisibleOp& op) : RwlockTransition(op, "pthread_rwlock_init", Role::Other) {}
  Result apply(ModelState& state) const override {
    edit(state) = Rwlock{};
    edit(state).initialized = true;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (!lock(state).isHeld()) return std::nullopt;
    return names.thread(thread()) + " initializes " + names.object(id()) + " again while " +
           names.thread(lock(state).holders().front()) + " holds it";
  }
};

class Rdlock : public RwlockTransition {
 public:
  explicit Rdlock(const VisibleOp& op) : RwlockTransition(op, "pthread_rwlock_rdlock", Role::Read) {}
  bool enabled(const ModelState& state) const override {
    return canRead(state) || isWriter(state) || lock(state).destroyed;
  }
  Result apply(ModelState& state) const override { return isWriter(state) ? EDEADLK : read(state); }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    return relocks(state, names, " for reading");
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override {
    return lock(state).writer ? lock(state).holders() : lock(state).wanting;
  }
};

class Tryrdlock : public RwlockTransition {
 public:
  explicit Tryrdlock(const VisibleOp& op) : RwlockTransition(op, "pthread_rwlock_tryrdlock", Role::Read) {}
  Result apply(ModelState& state) const override { return canRead(state) ? read(state) : EBUSY; }
};

/// Time is up as soon as the lock is not to be had: how long others take is theirs to say.
class Timedrdlock : public RwlockTransition {
 public:
  explicit Timedrdlock(const VisibleOp& op)
      : RwlockTransition(op, "pthread_rwlock_timedrdlock", Role::Read) {}
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
  explicit WantWrite(const VisibleOp& op) : RwlockTransition(op, "pthread_rwlock_wrlock", Role::Want) {}
  Result apply(ModelState& state) const override {
    insert(edit(state).wanting, thread());
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
  explicit Wrlock(const VisibleOp& op) : RwlockTransition(op, "pthread_rwlock_wrlock", Role::Write) {}
  bool enabled(const ModelState& state) const override {
    bool asked = !prefersWriters() || lock(state).wants(thread());
    return (asked && canWrite(state)) || isWriter(state) || lock(state).destroyed;
  }
  Result apply(ModelState& state) const override { return isWriter(state) ? EDEADLK : write(state); }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    return relocks(state, names, " for writing");
  }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return lock(state).holders(); }
};

class Trywrlock : public RwlockTransition {
 public:
  explicit Trywrlock(const VisibleOp& op)
      : RwlockTransition(op, "pthread_rwlock_trywrlock", Role::TryWrite) {}
  Result apply(ModelState& state) const override { return canWrite(state) ? write(state) : EBUSY; }
};

class Timedwrlock : public RwlockTransition {
 public:
  explicit Timedwrlock(const VisibleOp& op)
      : RwlockTransition(op, "pthread_rwlock_timedwrlock", Role::TryWrite) {}
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
      : RwlockTransition(op, "pthread_rwlock_unlock",
                         roleIn(state.get<Rwlock>(objectAt(op.object)), op.thread)) {}

  Result apply(ModelState& state) const override {
    if (isWriter(state))
      edit(state).writer.reset();
    else
      eraseOne(edit(state).readers, thread());
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
  explicit Destroy(const VisibleOp& op) : RwlockTransition(op, "pthread_rwlock_destroy", Role::Other) {}
  Result apply(ModelState& state) const override {
    edit(state) = Rwlock{};
    edit(state).destroyed = true;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = RwlockTransition::misuse(state, names)) return general;
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
  catalog.add<Tryrdlock>("rwlock.tryrdlock");
  catalog.add<Timedrdlock>("rwlock.timedrdlock");
  catalog.add<WantWrite>("rwlock.want_write");
  catalog.add<Wrlock>("rwlock.wrlock");
  catalog.add<Trywrlock>("rwlock.trywrlock");
  catalog.add<Timedwrlock>("rwlock.timedwrlock");
  catalog.add<Unlock>("rwlock.unlock");
  catalog.add<Destroy>("rwlock.destroy");
}
