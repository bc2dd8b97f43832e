#include <cerrno>

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kLock = nameId("spin.lock");

struct Spin : Object<Spin> {
  static constexpr std::string_view kKind = "spin";
  enum class Life : std::uint8_t { Unknown, Usable, Destroyed };

  Life life = Life::Unknown;
  bool initialized = false;  ///< By a call that the checker has seen.
  std::optional<ThreadId> owner;

  bool operator==(const Spin&) const = default;
  bool leftBehind() const override { return initialized; }
  std::vector<ThreadId> holders() const override {
    return owner ? std::vector{*owner} : std::vector<ThreadId>{};
  }
  std::string describe(const Names& names) const override {
    if (life == Life::Destroyed) return "destroyed";
    return owner ? "held by " + names.thread(*owner) : "free";
  }
};

/// Argument of every operation: whether a library initialized the lock before the checker took over.
class SpinTransition : public Transition {
 public:
  SpinTransition(const VisibleOp& op, const char* call)
      : Transition(op, {objectAt(op.object)}), call_(call) {}

  bool enabled(const ModelState&) const override { return true; }
  MemoryOrder memoryOrder(Result result) const override { return memory_order::unlessRefused(result); }
  std::string describe(const Names& names) const override { return call_ + ("(" + names.object(id()) + ")"); }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (usable(state)) return std::nullopt;
    bool destroyed = spin(state).life == Spin::Life::Destroyed;
    return names.thread(thread()) + " calls " + call_ + " on " + names.object(id()) + ", which " +
           (destroyed ? "has been destroyed" : "was never initialized");
  }

 protected:
  ObjectId id() const { return objects()[0]; }
  const Spin& spin(const ModelState& state) const { return state.get<Spin>(id()); }
  bool usable(const ModelState& state) const {
    Spin::Life life = spin(state).life;
    return life == Spin::Life::Usable || (life == Spin::Life::Unknown && visible().args[0] != 0);
  }
  Result take(ModelState& state) const {
    auto& taken = state.edit<Spin>(id());
    taken.life = Spin::Life::Usable;
    taken.owner = thread();
    return 0;
  }

 private:
  const char* call_;
};

class Init : public SpinTransition {
 public:
  explicit Init(const VisibleOp& op) : SpinTransition(op, "pthread_spin_init") {}
  Result apply(ModelState& state) const override {
    state.edit<Spin>(id()) = Spin{};
    state.edit<Spin>(id()).life = Spin::Life::Usable;
    state.edit<Spin>(id()).initialized = true;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    const auto& owner = spin(state).owner;
    if (!owner) return std::nullopt;
    return names.thread(thread()) + " initializes " + names.object(id()) + " again while " +
           names.thread(*owner) + " holds it";
  }
};

/// Who has it and locks it again waits for himself: a deadlock of one thread.
class Lock : public SpinTransition {
 public:
  explicit Lock(const VisibleOp& op) : SpinTransition(op, "pthread_spin_lock") {}
  bool enabled(const ModelState& state) const override { return !spin(state).owner; }
  Result apply(ModelState& state) const override { return take(state); }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return spin(state).holders(); }
};

class Trylock : public SpinTransition {
 public:
  explicit Trylock(const VisibleOp& op) : SpinTransition(op, "pthread_spin_trylock") {}
  Result apply(ModelState& state) const override { return spin(state).owner ? EBUSY : take(state); }
};

/// Its owner's unlock keeps those out who wait for the lock. Anybody else may try at any time, and be told.
class Unlock : public SpinTransition {
 public:
  Unlock(const VisibleOp& op, const ModelState& state)
      : SpinTransition(op, "pthread_spin_unlock"), isOwners_(spin(state).owner == op.thread) {}
  Result apply(ModelState& state) const override {
    state.edit<Spin>(id()).owner.reset();
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = SpinTransition::misuse(state, names)) return general;
    const auto& owner = spin(state).owner;
    if (owner == thread()) return std::nullopt;
    return names.thread(thread()) + " unlocks " + names.object(id()) + ", which " +
           (owner ? names.thread(*owner) + " holds" : "is not locked");
  }
  bool coenabledWith(const Transition& other) const override { return !isOwners_ || other.op() != kLock; }

 private:
  bool isOwners_;  // others cannot change that
};

class Destroy : public SpinTransition {
 public:
  explicit Destroy(const VisibleOp& op) : SpinTransition(op, "pthread_spin_destroy") {}
  Result apply(ModelState& state) const override {
    state.edit<Spin>(id()) = Spin{};
    state.edit<Spin>(id()).life = Spin::Life::Destroyed;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = SpinTransition::misuse(state, names)) return general;
    const auto& owner = spin(state).owner;
    if (!owner) return std::nullopt;
    return names.thread(thread()) + " destroys " + names.object(id()) + " while " +
           (owner == thread() ? "it" : names.thread(*owner)) + " holds it";
  }
};

}  // namespace

MCMINI_PLUGIN("spin", catalog) {
  catalog.add<Init>("spin.init");
  catalog.add<Lock>("spin.lock");
  catalog.add<Trylock>("spin.trylock");
  catalog.add<Unlock>("spin.unlock");
  catalog.add<Destroy>("spin.destroy");

  for (std::uint64_t early : {0U, 1U}) {
    Catalog::Calls calls;
    for (std::uint64_t lock : {8U, 16U})
      for (const char* name : {"spin.init", "spin.lock", "spin.trylock", "spin.unlock", "spin.destroy"})
        calls.push_back({name, lock, {early}});
    catalog.addTrial(calls);
  }
}
