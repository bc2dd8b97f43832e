#include <cerrno>

#include "plugins/cancel.hpp"
#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kCreate = nameId("thread.create");
constexpr NameId kUnstarted = nameId("thread.unstarted");
constexpr NameId kStart = nameId("thread.start");
constexpr NameId kExit = nameId("thread.exit");
constexpr NameId kJoin = nameId("thread.join");
constexpr NameId kTryJoin = nameId("thread.tryjoin");
constexpr NameId kTimedJoin = nameId("thread.timedjoin");
constexpr NameId kDetach = nameId("thread.detach");

/// A handle that belongs to no thread.
constexpr ThreadId kNone{~std::uint32_t{0}};

/// What others can do to a thread. That it runs and ends is known to the model itself.
struct Handle : Object<Handle> {
  static constexpr std::string_view kKind = "thread";
  bool detached = false;
  bool joined = false;

  bool operator==(const Handle&) const = default;
  std::string describe(const Names&) const override {
    return detached ? "detached" : joined ? "joined" : "joinable";
  }
};

class ThreadTransition : public Transition {
 public:
  ThreadTransition(const VisibleOp& op, ThreadId subject)
      : Transition(op, {objectOf(subject)}), subject_(subject) {}
  ThreadTransition(const VisibleOp& op, ThreadId subject, ThreadId other)
      : Transition(op, {objectOf(subject), objectOf(other)}), subject_(subject) {}
  bool enabled(const ModelState&) const override { return true; }

 protected:
  explicit ThreadTransition(const VisibleOp& op) : ThreadTransition(op, subjectOf(op)) {}
  static ThreadId subjectOf(const VisibleOp& op) { return ThreadId{static_cast<std::uint32_t>(op.object)}; }
  static bool isJoin(const Transition& other) {
    return other.op() == kJoin || other.op() == kTryJoin || other.op() == kTimedJoin;
  }
  ThreadId subject() const { return subject_; }
  const Handle& handle(const ModelState& state) const { return state.get<Handle>(objectOf(subject_)); }
  std::string call(const char* function, const Names& names) const {
    return calledAs(function) + "(" + (subject_ == kNone ? "no thread" : names.thread(subject_)) + ")";
  }

 private:
  ThreadId subject_;
};

/// Has a thread been canceled or detached, in any run? If not, no join is enabled before the end of its
/// thread, and the search is spared to try that.
bool joinsMayBeEarly = false;

class Create : public ThreadTransition {
 public:
  Create(const VisibleOp& op, const ModelState& state) : ThreadTransition(op, state.nextChildOf(op.thread)) {
    if (op.args[1] != 0) joinsMayBeEarly = true;
  }

  Result apply(ModelState& state) const override {
    bool detached = visible().args[1] != 0;
    ThreadId child = state.spawn(thread(), visible().args[0]);
    state.edit<Handle>(objectOf(child)) = Handle{};
    state.edit<Handle>(objectOf(child)).detached = detached;
    return index(child);
  }
  bool coenabledWith(const Transition&) const override { return false; }
  std::string describe(const Names& names) const override { return call("pthread_create", names); }
  std::string describeResult(Result) const override { return ""; }
  bool failed(Result) const override { return false; }
};

/// The real thread could not be created after all.
class Unstarted : public ThreadTransition {
 public:
  explicit Unstarted(const VisibleOp& op) : ThreadTransition(op) {}
  Result apply(ModelState& state) const override {
    state.unspawn(subject());
    return 0;
  }
  bool coenabledWith(const Transition& other) const override { return other.op() != kCreate; }
  std::string describe(const Names& names) const override {
    return calledAs("pthread_create") + " failed for " + names.thread(subject());
  }
};

class Start : public ThreadTransition {
 public:
  explicit Start(const VisibleOp& op) : ThreadTransition(op) {}
  /// The argument says that the thread could not be created: Unstarted comes instead.
  bool enabled(const ModelState&) const override { return visible().args[0] == 0; }
  Result apply(ModelState&) const override { return 0; }
  bool dependentWith(const Transition& other) const override { return other.op() == kCreate; }
  std::string describe(const Names&) const override { return "starts"; }
};

/// The end of a thread, together with what becomes of the robust locks that it still holds.
class Exit : public Transition {
 public:
  Exit(const VisibleOp& op, const ModelState& state) : Transition(op, touched(op.thread, state)) {}

  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState& state) const override {
    state.end(thread());
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    for (ObjectId object : state.heldBy(thread()))
      if (!state.find(object)->mayOutliveHolder())
        return names.thread(thread()) + " ends while it holds " + names.object(object);
    return std::nullopt;
  }
  bool dependentWith(const Transition& other) const override {
    return other.op() != kStart && other.op() != kDetach;
  }
  bool coenabledWith(const Transition& other) const override {
    return joinsMayBeEarly || other.op() != kJoin;
  }
  std::string describe(const Names&) const override { return "ends"; }

 private:
  static std::vector<ObjectId> touched(ThreadId thread, const ModelState& state) {
    std::vector<ObjectId> objects{objectOf(thread)};
    for (ObjectId object : state.heldBy(thread))
      if (state.find(object)->mayOutliveHolder()) objects.push_back(object);
    return objects;
  }
};

/// What a join returns where it need not wait.
class JoinTransition : public ThreadTransition {
 public:
  JoinTransition(const VisibleOp& op, const char* function)
      : ThreadTransition(op, subjectOf(op), op.thread), function_(function) {}

  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    std::string who = names.thread(thread()) + " joins ";
    if (subject() == thread()) return who + "itself, which never ends while it waits";
    if (!state.thread(subject()).created) return who + "a thread that does not exist";
    if (handle(state).detached) return who + names.thread(subject()) + ", which is detached";
    if (handle(state).joined) return who + names.thread(subject()) + ", which has been joined already";
    return std::nullopt;
  }
  bool dependentWith(const Transition& other) const override {
    if (isJoin(other) || other.op() == kDetach) return subjectOf(other.visible()) == subject();
    if (other.op() == kCancel) return subjectOf(other.visible()) == subject() || mayBeCanceled();
    return other.op() == kCreate || other.op() == kUnstarted || other.op() == kExit;
  }
  std::string describe(const Names& names) const override { return call(function_, names); }

 protected:
  /// The argument says that the thread does not allow it.
  bool mayBeCanceled() const { return visible().args[0] == 0; }
  bool canceled(const ModelState& state) const { return mayBeCanceled() && cancelRequested(*this, state); }
  Result join(ModelState& state) const {
    state.edit<Handle>(objectOf(subject())).joined = true;
    return 0;
  }

 private:
  const char* function_;
};

/// Enabled together with the end of the thread when it is canceled, or when the thread has been detached.
class Join : public JoinTransition {
 public:
  explicit Join(const VisibleOp& op) : JoinTransition(op, "pthread_join") {}

  bool enabled(const ModelState& state) const override {
    return !state.alive(subject()) || subject() == thread() || handle(state).detached || canceled(state);
  }
  Result apply(ModelState& state) const override { return canceled(state) ? ECANCELED : join(state); }
  bool coenabledWith(const Transition& other) const override {
    return joinsMayBeEarly || other.op() != kExit;
  }
  std::vector<ThreadId> blockedBy(const ModelState&) const override { return {subject()}; }
};

class TryJoin : public JoinTransition {
 public:
  explicit TryJoin(const VisibleOp& op) : JoinTransition(op, "pthread_tryjoin_np") {}
  Result apply(ModelState& state) const override { return state.alive(subject()) ? EBUSY : join(state); }
};

/// Time is up as soon as the other thread has not ended: how long it takes is its own to say.
class TimedJoin : public JoinTransition {
 public:
  explicit TimedJoin(const VisibleOp& op) : JoinTransition(op, "pthread_timedjoin_np") {}
  Result apply(ModelState& state) const override {
    if (canceled(state)) return ECANCELED;
    return state.alive(subject()) ? ETIMEDOUT : join(state);
  }
};

/// Asks a thread to end. It does so at its next cancellation point.
class Cancel : public ThreadTransition {
 public:
  explicit Cancel(const VisibleOp& op) : ThreadTransition(op) { joinsMayBeEarly = true; }
  Result apply(ModelState& state) const override {
    if (state.alive(subject())) state.requestCancel(subject());
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (!state.thread(subject()).created)
      return names.thread(thread()) + " cancels a thread that does not exist";
    if (handle(state).joined)
      return names.thread(thread()) + " cancels " + names.thread(subject()) +
             ", which has been joined already";
    return std::nullopt;
  }
  /// Cancellation points answer for themselves.
  bool dependentWith(const Transition& other) const override {
    return other.op() == kCreate || other.op() == kUnstarted || other.op() == kExit;
  }
  std::string describe(const Names& names) const override { return call("pthread_cancel", names); }
};

class TestCancel : public ThreadTransition {
 public:
  explicit TestCancel(const VisibleOp& op) : ThreadTransition(op, op.thread) {}
  Result apply(ModelState& state) const override {
    return state.thread(thread()).cancelRequested ? ECANCELED : 0;
  }
  bool failed(Result result) const override { return result == 0; }
  bool dependentWith(const Transition& other) const override { return other.op() == kCancel; }
  std::string describe(const Names&) const override {
    return visible().call.empty() ? "pthread_testcancel()"
                                  : std::string(visible().call) + " looks for a cancellation";
  }
};

class Detach : public ThreadTransition {
 public:
  explicit Detach(const VisibleOp& op) : ThreadTransition(op) { joinsMayBeEarly = true; }
  Result apply(ModelState& state) const override {
    if (!state.thread(subject()).created || handle(state).detached || handle(state).joined) return EINVAL;
    state.edit<Handle>(objectOf(subject())).detached = true;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    std::string who = names.thread(thread()) + " detaches ";
    if (!state.thread(subject()).created) return who + "a thread that does not exist";
    if (handle(state).detached) return who + names.thread(subject()) + ", which is detached already";
    if (handle(state).joined) return who + names.thread(subject()) + ", which has been joined already";
    return std::nullopt;
  }
  bool dependentWith(const Transition& other) const override {
    if (isJoin(other)) return subjectOf(other.visible()) == subject();
    return other.op() == kCreate || other.op() == kDetach;
  }
  std::string describe(const Names& names) const override { return call("pthread_detach", names); }
};

}  // namespace

MCMINI_PLUGIN("thread", catalog) {
  catalog.add<Create>("thread.create");
  catalog.add<Unstarted>("thread.unstarted");
  catalog.add<Start>("thread.start");
  catalog.add<Exit>("thread.exit");
  catalog.add<Join>("thread.join");
  catalog.add<TryJoin>("thread.tryjoin");
  catalog.add<TimedJoin>("thread.timedjoin");
  catalog.add<Detach>("thread.detach");
  catalog.add<Cancel>("thread.cancel");
  catalog.add<TestCancel>("thread.testcancel");

  Catalog::Calls calls = callsOf({"thread.create", "thread.start", "thread.exit", "thread.testcancel"}, 0);
  for (std::uint64_t thread : {0U, 1U})
    for (const char* name :
         {"thread.join", "thread.tryjoin", "thread.timedjoin", "thread.detach", "thread.cancel"})
      calls.push_back({name, thread});
  catalog.addTrial(calls);
}
