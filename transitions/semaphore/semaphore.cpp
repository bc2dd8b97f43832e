#include <cerrno>
#include <climits>

#include "plugins/cancel.hpp"
#include "plugins/plugin.hpp"
#include "plugins/turns.hpp"

namespace {

using namespace mcmini;

constexpr NameId kPost = nameId("semaphore.post");
constexpr NameId kAcquire = nameId("semaphore.acquire");
constexpr NameId kWait = nameId("semaphore.wait");
constexpr NameId kGetvalue = nameId("semaphore.getvalue");
constexpr NameId kOpen = nameId("semaphore.open");

QueueRole roleOf(const Transition& transition) {
  NameId op = transition.op();
  if (op == kWait) return QueueRole::Joins;
  if (op == kPost) return QueueRole::GivesBack;
  return op == kAcquire ? QueueRole::TakesTurn : QueueRole::Other;
}

/// The first characters of the name that sem_open got; none if the semaphore has no name.
using Text = std::array<char, 2 * sizeof(std::uint64_t)>;

std::string quoted(const Text& text) {
  std::string_view whole(text.data(), text.size());
  std::string_view name = whole.substr(0, whole.find('\0'));
  return "\"" + std::string(name) + (name.size() < whole.size() ? "\"" : "...\"");
}

struct Semaphore : Object<Semaphore> {
  static constexpr std::string_view kKind = "semaphore";
  enum class Life : std::uint8_t { Unknown, Usable, Destroyed };

  Life life = Life::Unknown;
  bool initialized = false;  ///< By sem_init.
  std::uint32_t value = 0;
  /// So many tokens are there whatever the order of posts: they were there from the beginning, or when a
  /// thread last took one that had to be posted first.
  std::uint32_t settled = 0;
  Text name{};
  Turns turns;  ///< Of those who have joined its queue, if the policy has them do so.

  bool operator==(const Semaphore&) const = default;
  bool hasName() const { return name[0] != 0; }
  bool leftBehind() const override { return initialized; }
  std::string describe(const Names&) const override {
    return life == Life::Destroyed ? "destroyed" : "value " + std::to_string(value);
  }
};

/// Argument of every operation: 0, or one more than the value that a semaphore had when the checker took
/// over.
class SemaphoreTransition : public Transition {
 public:
  SemaphoreTransition(const VisibleOp& op, const ModelState& state, const char* call)
      : SemaphoreTransition(op, state, call, {objectAt(op.object)}) {}

  bool enabled(const ModelState&) const override { return true; }
  MemoryOrder memoryOrder(Result result) const override { return memory_order::unlessRefused(result); }
  bool dependentWith(const Transition& other) const override {
    return !policy_.enqueues() || dependAtQueue(policy_, roleOf(*this), roleOf(other));
  }
  std::string describe(const Names& names) const override {
    return calledAs(call_) + "(" + called(names) + ")";
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (usable(state)) return std::nullopt;
    bool destroyed = semaphore(state).life == Semaphore::Life::Destroyed;
    return names.thread(thread()) + " calls " + calledAs(call_) + " on " + called(names) + ", which " +
           (destroyed ? "has been destroyed" : "was never initialized");
  }

 protected:
  SemaphoreTransition(const VisibleOp& op, const ModelState& state, const char* call,
                      std::initializer_list<ObjectId> objects)
      : Transition(op, objects), call_(call), name_(semaphore(state).name), policy_(*state.policy("sem")) {}

  ObjectId id() const { return objects()[0]; }
  const Semaphore& semaphore(const ModelState& state) const { return state.get<Semaphore>(id()); }
  bool usable(const ModelState& state) const {
    Semaphore::Life life = semaphore(state).life;
    return life == Semaphore::Life::Usable || (life == Semaphore::Life::Unknown && visible().args[0] != 0);
  }
  std::uint32_t value(const ModelState& state) const {
    const Semaphore& known = semaphore(state);
    if (known.life != Semaphore::Life::Unknown || visible().args[0] == 0) return known.value;
    return static_cast<std::uint32_t>(visible().args[0] - 1);
  }
  std::uint32_t settled(const ModelState& state) const {
    return semaphore(state).life == Semaphore::Life::Unknown ? value(state) : semaphore(state).settled;
  }
  Result set(ModelState& state, std::uint32_t value, std::uint32_t settled) const {
    auto& changed = state.edit<Semaphore>(id());
    changed.life = Semaphore::Life::Usable;
    changed.value = value;
    changed.settled = settled;
    return 0;
  }
  Result take(ModelState& state) const {
    std::uint32_t held = value(state);
    return held == 0 ? 0 : set(state, held - 1, held - 1);
  }
  /// Is there something to take for a thread that has not waited?
  bool leftOver(const ModelState& state) const { return semaphore(state).turns.leftOver(value(state)); }
  Turns& turns(ModelState& state) const { return state.edit<Semaphore>(id()).turns; }
  const WakeupPolicy& policy() const { return policy_; }
  std::string called(const Names& names) const { return name_[0] == 0 ? names.object(id()) : quoted(name_); }

 private:
  const char* call_;
  Text name_;
  const WakeupPolicy& policy_;
};

class Init : public SemaphoreTransition {
 public:
  Init(const VisibleOp& op, const ModelState& state) : SemaphoreTransition(op, state, "sem_init") {}
  Result apply(ModelState& state) const override {
    state.edit<Semaphore>(id()) = Semaphore{};
    state.edit<Semaphore>(id()).initialized = true;
    auto value = static_cast<std::uint32_t>(visible().args[1]);
    return set(state, value, value);
  }
  std::optional<std::string> misuse(const ModelState&, const Names&) const override { return std::nullopt; }
};

/// A cancellation point, unless the third argument says that the thread does not allow it. It also says if
/// there is no call in the program by which threads are canceled.
class WaitTransition : public SemaphoreTransition {
 public:
  WaitTransition(const VisibleOp& op, const ModelState& state, const char* call)
      : SemaphoreTransition(op, state, call, {objectAt(op.object), objectOf(op.thread)}) {}
  bool dependentWith(const Transition& other) const override {
    if (other.op() == kCancel) return mayBeCanceled();
    return meetsBesidesThread(*this, other) && SemaphoreTransition::dependentWith(other);
  }

 protected:
  bool canceled(const ModelState& state) const { return mayBeCanceled() && cancelRequested(*this, state); }
  bool mayBeCanceled() const { return (visible().args[2] & 1) == 0; }
  bool isEverCanceled() const { return visible().args[2] == 0; }
};

/// Takes a token, or joins the queue, as the policy wants. For one that takes a settled token, posts do not
/// matter.
class Wait : public WaitTransition {
 public:
  Wait(const VisibleOp& op, const ModelState& state)
      : WaitTransition(op, state, "sem_wait"), needsNoPost_(takesSettled(state)) {}
  bool enabled(const ModelState& state) const override {
    return policy().enqueues() || value(state) > 0 || !usable(state) || canceled(state);
  }
  Result apply(ModelState& state) const override {
    if (canceled(state)) return ECANCELED;
    if (takesSettled(state)) return set(state, value(state) - 1, settled(state) - 1);
    if (!policy().enqueues()) return take(state);
    turns(state).join(policy(), thread(), value(state));
    return kQueued;
  }
  bool isConditional() const override { return !policy().enqueues(); }
  std::unique_ptr<Transition> asIn(const ModelState& state) const override {
    if (takesSettled(state) == needsNoPost_) return nullptr;
    return std::make_unique<Wait>(visible(), state);
  }
  bool dependentWith(const Transition& other) const override {
    return !(needsNoPost_ && other.op() == kPost) && WaitTransition::dependentWith(other);
  }
  bool needsNoPost() const { return needsNoPost_; }

 private:
  bool takesSettled(const ModelState& state) const {
    return !policy().enqueues() && usable(state) && settled(state) > 0 && !canceled(state);
  }

  bool needsNoPost_;
};

/// The second half of a wait: takes a token when it is the thread's turn.
class Acquire : public WaitTransition {
 public:
  Acquire(const VisibleOp& op, const ModelState& state) : WaitTransition(op, state, "sem_wait") {}
  bool enabled(const ModelState& state) const override {
    return semaphore(state).turns.mayTake(policy(), thread(), value(state)) || !usable(state) ||
           canceled(state);
  }
  Result apply(ModelState& state) const override {
    turns(state).leave(policy(), thread(), value(state));
    if (!canceled(state)) return take(state);
    turns(state).offer(policy(), value(state));
    return ECANCELED;
  }
  /// A thread that is canceled leaves its turn to another one.
  bool dependentWith(const Transition& other) const override {
    bool joins = other.op() == kWait && isEverCanceled();
    return (joins && joiningDependsOn(policy(), QueueRole::GivesBack)) ||
           WaitTransition::dependentWith(other);
  }
  std::string describe(const Names& names) const override { return "gets a token of " + called(names); }
  std::string describeWait(const Names& names) const override { return WaitTransition::describe(names); }
};

class Trywait : public SemaphoreTransition {
 public:
  Trywait(const VisibleOp& op, const ModelState& state) : SemaphoreTransition(op, state, "sem_trywait") {}
  Result apply(ModelState& state) const override { return leftOver(state) ? take(state) : EAGAIN; }
};

/// Time is up as soon as there is nothing to take: how long others need is theirs to say. The second argument
/// says that the time limit is none.
class Timedwait : public WaitTransition {
 public:
  Timedwait(const VisibleOp& op, const ModelState& state) : WaitTransition(op, state, "sem_timedwait") {}
  Result apply(ModelState& state) const override {
    if (canceled(state)) return ECANCELED;
    if (leftOver(state)) return take(state);
    return visible().args[1] != 0 ? EINVAL : ETIMEDOUT;
  }
};

/// The order of posts does not matter, unless the last ones are too many: a run is far too short to get there
/// from a value that is not near the limit to begin with.
class Post : public SemaphoreTransition {
 public:
  Post(const VisibleOp& op, const ModelState& state)
      : SemaphoreTransition(op, state, "sem_post"), nearLimit_(value(state) > SEM_VALUE_MAX / 2) {}
  Result apply(ModelState& state) const override {
    if (value(state) >= SEM_VALUE_MAX) return EOVERFLOW;
    set(state, value(state) + 1, settled(state));
    turns(state).offer(policy(), value(state));
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = SemaphoreTransition::misuse(state, names)) return general;
    if (value(state) < SEM_VALUE_MAX) return std::nullopt;
    return names.thread(thread()) + " posts " + called(names) +
           ", whose value is SEM_VALUE_MAX already: sem_post fails with EOVERFLOW";
  }
  bool dependentWith(const Transition& other) const override {
    if (nearLimit_) return true;
    bool isServed = other.op() == kWait && static_cast<const Wait&>(other).needsNoPost();
    return !isServed && other.op() != kPost && SemaphoreTransition::dependentWith(other);
  }

 private:
  bool nearLimit_;
};

class Getvalue : public SemaphoreTransition {
 public:
  Getvalue(const VisibleOp& op, const ModelState& state) : SemaphoreTransition(op, state, "sem_getvalue") {}
  Result apply(ModelState& state) const override { return value(state); }
  /// Who looks again and again is waiting for another value.
  bool failed(Result) const override { return true; }
  bool dependentWith(const Transition& other) const override { return other.op() != kGetvalue; }
  MemoryOrder memoryOrder(Result) const override { return memory_order::kNone; }
  std::string describeResult(Result result) const override { return std::to_string(result); }
};

/// A thread that still waits for it is told so itself.
class Destroy : public SemaphoreTransition {
 public:
  Destroy(const VisibleOp& op, const ModelState& state) : SemaphoreTransition(op, state, "sem_destroy") {}
  Result apply(ModelState& state) const override {
    state.edit<Semaphore>(id()) = Semaphore{};
    state.edit<Semaphore>(id()).life = Semaphore::Life::Destroyed;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = SemaphoreTransition::misuse(state, names)) return general;
    if (!semaphore(state).hasName()) return std::nullopt;
    return names.thread(thread()) + " calls sem_destroy on " + called(names) +
           ", which sem_open made: sem_close and sem_unlink are for those";
  }
};

/// What a name stands for in this run.
struct SemaphoreName : Object<SemaphoreName> {
  static constexpr std::string_view kKind = "semaphore name";
  std::uint32_t made = 0;                ///< How many semaphores had the name so far.
  std::optional<std::uint32_t> current;  ///< Which of them has it now.

  bool operator==(const SemaphoreName&) const = default;
  std::string describe(const Names&) const override { return current ? "exists" : "does not exist"; }
};

/// The object is libmcmini's entry for the name: text first, then room for the semaphores that have it one
/// after the other. Nobody knows where one of those is before it was opened, so to make it touches nothing
/// but the name.
class NameTransition : public Transition {
 public:
  NameTransition(const VisibleOp& op, const char* call) : Transition(op, {objectAt(op.object)}), call_(call) {
    std::memcpy(text_.data(), &visible().args[1], text_.size());
  }
  bool enabled(const ModelState&) const override { return true; }
  std::string describe(const Names&) const override { return call_ + ("(" + quoted(text_) + ")"); }

 protected:
  ObjectId id() const { return objects()[0]; }
  const SemaphoreName& name(const ModelState& state) const { return state.get<SemaphoreName>(id()); }
  const Text& text() const { return text_; }

 private:
  const char* call_;
  Text text_{};
};

/// Returns which of the semaphores with that name it is, or an error number below 0.
class Open : public NameTransition {
 public:
  explicit Open(const VisibleOp& op) : NameTransition(op, "sem_open") {}

  Result apply(ModelState& state) const override {
    if (name(state).current) return creates() && isExclusive() ? -EEXIST : Result{*name(state).current};
    if (!creates()) return -ENOENT;
    if (name(state).made == kPlaces) return -EMFILE;
    auto& edited = state.edit<SemaphoreName>(id());
    edited.current = edited.made++;
    Result place = *edited.current;
    auto& semaphore = state.edit<Semaphore>(
        objectAt(addressOf(id()) + kTextSize + static_cast<std::uint64_t>(place) * kSemaphoreSize));
    semaphore = Semaphore{};
    semaphore.life = Semaphore::Life::Usable;
    semaphore.value = static_cast<std::uint32_t>(visible().args[0] & SEM_VALUE_MAX);
    semaphore.settled = semaphore.value;
    semaphore.name = text();
    return place;
  }
  bool dependentWith(const Transition& other) const override {
    return other.op() != kOpen || isExclusive() || other.visible().args[0] != visible().args[0];
  }
  std::string describeResult(Result result) const override {
    return result < 0 ? NameTransition::describeResult(-result) : "";
  }

 private:
  static constexpr std::uint64_t kTextSize = 256;
  static constexpr std::uint64_t kSemaphoreSize = 32;
  static constexpr std::uint32_t kPlaces = 7;

  bool creates() const { return (visible().args[0] >> 32 & 1) != 0; }
  bool isExclusive() const { return (visible().args[0] >> 33 & 1) != 0; }
};

class Unlink : public NameTransition {
 public:
  explicit Unlink(const VisibleOp& op) : NameTransition(op, "sem_unlink") {}
  Result apply(ModelState& state) const override {
    if (!name(state).current) return ENOENT;
    state.edit<SemaphoreName>(id()).current.reset();
    return 0;
  }
};

}  // namespace

MCMINI_PLUGIN("semaphore", catalog) {
  catalog.add<Init>("semaphore.init");
  catalog.add<Wait>("semaphore.wait");
  catalog.add<Acquire>("semaphore.acquire");
  catalog.add<Trywait>("semaphore.trywait");
  catalog.add<Timedwait>("semaphore.timedwait");
  catalog.add<Post>("semaphore.post");
  catalog.add<Getvalue>("semaphore.getvalue");
  catalog.add<Destroy>("semaphore.destroy");
  catalog.add<Open>("semaphore.open");
  catalog.add<Unlink>("semaphore.unlink");

  catalog.addSequel({"semaphore.wait", "semaphore.acquire", kQueued});
  Catalog::Calls calls = callsOf({"semaphore.wait", "semaphore.trywait", "semaphore.timedwait",
                                  "semaphore.post", "semaphore.getvalue", "semaphore.destroy"},
                                 8);
  for (std::uint64_t value : {0U, 1U, SEM_VALUE_MAX - 1U}) calls.push_back({"semaphore.init", 8, {0, value}});
  catalog.addTrial(calls);
  calls.push_back({"thread.cancel", 1});
  catalog.addTrial(calls);
  Catalog::Calls names = callsOf({"semaphore.unlink"}, 8, {0, 'n'});
  for (std::uint64_t how : {0ULL, 1ULL << 32, 1ULL << 32 | 1, 3ULL << 32 | 1})
    names.push_back({"semaphore.open", 8, {how, 'n'}});
  catalog.addTrial(names);
}
