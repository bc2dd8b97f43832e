#include <cerrno>

#include "plugins/mutex.hpp"
#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// They wait until the mutex is free.
constexpr std::array kWaiting = {nameId("mutex.lock"), nameId("cond.wake"), nameId("cond.timedwake")};

/// As pthread_mutexattr_settype numbers them; the fourth is glibc's adaptive one, another normal one.
enum class Type : std::uint64_t { Normal, Recursive, ErrorCheck, Adaptive };

/// Arguments of every operation: the type, whether it is robust, and whether the memory looks like a mutex.
class MutexTransition : public Transition {
 public:
  MutexTransition(const VisibleOp& op, const char* call)
      : Transition(op, {objectAt(op.object)}), call_(call), type_(static_cast<Type>(op.args[0])) {}

  bool enabled(const ModelState&) const override { return true; }
  std::string describe(const Names& names) const override {
    return calledAs(call_) + "(" + names.object(mutexId()) + ")";
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    std::string use = names.thread(thread()) + " calls " + calledAs(call_) + " on " + names.object(mutexId());
    // Memory that looks initialized after a destroy is a new mutex, made without a call.
    if (looksInitialized()) return std::nullopt;
    if (mutex(state).destroyed) return use + ", which has been destroyed";
    Mutex unused;
    unused.initialized = mutex(state).initialized;
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
  bool looksInitialized() const { return visible().args[2] == 0; }

  /// Takes a mutex that is free, or recursive and the thread's own.
  Result take(ModelState& state) const {
    if (mutex(state).unrecoverable) return ENOTRECOVERABLE;
    Mutex& taken = edit(state);
    taken.robust = isRobust();
    taken.destroyed = false;
    taken.take(thread());
    return taken.inconsistent ? EOWNERDEAD : 0;
  }
  bool canTake(const ModelState& state) const {
    return mutex(state).free() || (isMine(state) && type_ == Type::Recursive);
  }

 private:
  const char* call_;
  Type type_;
};

class Init : public MutexTransition {
 public:
  explicit Init(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_init") {}
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

class Lock : public MutexTransition {
 public:
  explicit Lock(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_lock") {}

  bool enabled(const ModelState& state) const override {
    return canTake(state) || mutex(state).destroyed || (isMine(state) && type() == Type::ErrorCheck);
  }
  Result apply(ModelState& state) const override { return canTake(state) ? take(state) : EDEADLK; }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return mutex(state).holders(); }
};

class Trylock : public MutexTransition {
 public:
  explicit Trylock(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_trylock") {}
  Result apply(ModelState& state) const override { return canTake(state) ? take(state) : EBUSY; }
};

/// Time is up as soon as the mutex is not to be had: how long others take is theirs to say.
class Timedlock : public MutexTransition {
 public:
  explicit Timedlock(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_timedlock") {}
  Result apply(ModelState& state) const override {
    if (canTake(state)) return take(state);
    return isMine(state) && type() == Type::ErrorCheck ? EDEADLK : ETIMEDOUT;
  }
};

/// Its owner's unlock keeps those out who wait for the mutex. Anybody else may try at any time, and be told.
class Unlock : public MutexTransition {
 public:
  Unlock(const VisibleOp& op, const ModelState& state)
      : MutexTransition(op, "pthread_mutex_unlock"), isOwners_(isMine(state)) {}

  Result apply(ModelState& state) const override {
    if (checks() && !isMine(state)) return EPERM;
    Mutex& released = edit(state);
    if (released.depth > 0) --released.depth;
    if (released.depth > 0) return 0;
    released.owner.reset();
    if (std::exchange(released.inconsistent, false)) released.unrecoverable = true;
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
    return !isOwners_ || std::ranges::count(kWaiting, other.op()) == 0;
  }

 private:
  bool isOwners_;  // others cannot change that
};

class Destroy : public MutexTransition {
 public:
  explicit Destroy(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_destroy") {}

  Result apply(ModelState& state) const override {
    edit(state) = Mutex{};
    edit(state).destroyed = true;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = MutexTransition::misuse(state, names)) return general;
    if (mutex(state).free()) return std::nullopt;
    return names.thread(thread()) + " destroys " + names.object(mutexId()) + " while " +
           (isMine(state) ? "it" : names.thread(*mutex(state).owner)) + " holds it";
  }
};

class Consistent : public MutexTransition {
 public:
  explicit Consistent(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_consistent") {}
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
  catalog.add<Trylock>("mutex.trylock");
  catalog.add<Timedlock>("mutex.timedlock");
  catalog.add<Unlock>("mutex.unlock");
  catalog.add<Destroy>("mutex.destroy");
  catalog.add<Consistent>("mutex.consistent");
}
