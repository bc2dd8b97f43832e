#include <cerrno>

#include "plugins/mutex.hpp"
#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kLock = nameId("mutex.lock");
constexpr NameId kUnlock = nameId("mutex.unlock");

/// As pthread_mutexattr_settype numbers them; the fourth is glibc's adaptive one, another normal one.
enum class Type : std::uint64_t { Normal, Recursive, ErrorCheck, Adaptive };

class MutexTransition : public Transition {
 public:
  MutexTransition(const VisibleOp& op, const char* call)
      : Transition(op, {objectAt(op.object)}), call_(call), type_(static_cast<Type>(op.args[0])) {}

  bool enabled(const ModelState&) const override { return true; }
  std::string describe(const Names& names) const override {
    return std::string(call_) + "(" + names.object(mutexId()) + ")";
  }

 protected:
  ObjectId mutexId() const { return objects()[0]; }
  const Mutex& mutex(const ModelState& state) const { return state.get<Mutex>(mutexId()); }
  bool isMine(const ModelState& state) const { return mutex(state).owner == thread(); }
  Type type() const { return type_; }
  /// Does the mutex know its owner?
  bool checks() const { return type_ == Type::Recursive || type_ == Type::ErrorCheck; }

  Result take(ModelState& state) const {
    state.edit<Mutex>(mutexId()).take(thread());
    return 0;
  }

 private:
  const char* call_;
  Type type_;
};

class Init : public MutexTransition {
 public:
  explicit Init(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_init") {}
  Result apply(ModelState& state) const override {
    state.edit<Mutex>(mutexId()) = Mutex{};
    return 0;
  }
};

/// A lock is never enabled together with the unlock of the same mutex: that would be its owner's, and only
/// the owner of a recursive or error-checking one may lock it then.
class Lock : public MutexTransition {
 public:
  explicit Lock(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_lock") {}

  bool enabled(const ModelState& state) const override {
    return !mutex(state).owner ||
           (isMine(state) && checks());
  }
  Result apply(ModelState& state) const override {
    return isMine(state) && type() == Type::ErrorCheck ? EDEADLK : take(state);
  }
  bool coenabledWith(const Transition& other) const override { return checks() || other.op() != kUnlock; }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return mutex(state).holders(); }
};

class Trylock : public MutexTransition {
 public:
  explicit Trylock(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_trylock") {}

  Result apply(ModelState& state) const override {
    bool free = !mutex(state).owner || (isMine(state) && type() == Type::Recursive);
    return free ? take(state) : EBUSY;
  }
};

class Unlock : public MutexTransition {
 public:
  explicit Unlock(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_unlock") {}

  Result apply(ModelState& state) const override {
    if (checks() && !isMine(state)) return EPERM;
    auto& released = state.edit<Mutex>(mutexId());
    if (released.depth > 0) --released.depth;
    if (released.depth == 0) released.owner.reset();
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (checks() || isMine(state)) return std::nullopt;
    std::string sentence = names.thread(thread()) + " unlocks " + names.object(mutexId()) + ", which ";
    const auto& owner = mutex(state).owner;
    return sentence + (owner ? names.thread(*owner) + " owns" : "nobody has locked");
  }
  bool coenabledWith(const Transition& other) const override {
    return other.op() != kLock && other.op() != kUnlock;
  }
};

class Destroy : public MutexTransition {
 public:
  explicit Destroy(const VisibleOp& op) : MutexTransition(op, "pthread_mutex_destroy") {}

  Result apply(ModelState& state) const override {
    if (mutex(state).owner) return EBUSY;
    state.edit<Mutex>(mutexId()) = Mutex{};
    return 0;
  }
};

}  // namespace

MCMINI_PLUGIN("mutex", catalog) {
  catalog.add<Init>("mutex.init");
  catalog.add<Lock>("mutex.lock");
  catalog.add<Trylock>("mutex.trylock");
  catalog.add<Unlock>("mutex.unlock");
  catalog.add<Destroy>("mutex.destroy");
}
