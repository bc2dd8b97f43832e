#include <cerrno>

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kArrive = nameId("barrier.arrive");
constexpr NameId kLeave = nameId("barrier.leave");

/// The threads that were seen at a barrier in one run, on their way to it or past it.
using Crowd = std::vector<ThreadId>;

void addTo(Crowd& crowd, ThreadId thread) {
  if (std::ranges::count(crowd, thread) == 0) crowd.push_back(thread);
}

struct Barrier : Object<Barrier> {
  static constexpr std::string_view kKind = "barrier";
  enum class Life : std::uint8_t { Unknown, Usable, Destroyed };
  struct Leaver {
    ThreadId thread;
    bool serial;  ///< It is the one that is told so.
    bool operator==(const Leaver&) const = default;
  };

  Life life = Life::Unknown;
  bool initialized = false;  ///< By a call that the checker has seen.
  std::uint32_t count = 0;
  std::vector<ThreadId> arrived;      ///< For the round that is not complete, in the order of their ids.
  std::vector<Leaver> leaving;        ///< Their round is complete; in the order of their ids.
  std::vector<std::uint32_t> rounds;  ///< By thread: how often it has arrived.
  std::shared_ptr<Crowd> crowd;       ///< Shared by all states of a run, and no part of them.

  bool operator==(const Barrier& other) const {
    return life == other.life && initialized == other.initialized && count == other.count &&
           arrived == other.arrived && leaving == other.leaving && rounds == other.rounds;
  }
  bool leftBehind() const override { return initialized && life != Life::Destroyed; }
  bool hasArrived(ThreadId thread) const { return std::ranges::count(arrived, thread) > 0; }
  std::vector<Leaver>::const_iterator leaver(ThreadId thread) const {
    return std::ranges::find(leaving, thread, &Leaver::thread);
  }
  std::uint32_t roundsOf(ThreadId thread) const {
    return index(thread) < rounds.size() ? rounds[index(thread)] : 0;
  }
  std::string describe(const Names&) const override {
    if (life == Life::Destroyed) return "destroyed";
    return std::to_string(arrived.size()) + " of " + std::to_string(count) + " have arrived";
  }

  void init(std::uint32_t threads) {
    life = Life::Usable;
    initialized = true;
    count = threads;
    arrived.clear();
    rounds.clear();
    crowd = std::make_shared<Crowd>();
  }
  void arrive(ThreadId thread) {
    if (crowd) addTo(*crowd, thread);
    if (rounds.size() <= index(thread)) rounds.resize(index(thread) + 1);
    ++rounds[index(thread)];
    arrived.insert(std::ranges::lower_bound(arrived, thread), thread);
    if (arrived.size() >= count) complete();
  }
  /// POSIX leaves open which thread is told that it is the one. A fixed one is, so that the order in which
  /// they arrive does not matter.
  void complete() {
    for (ThreadId thread : arrived)
      leaving.insert(std::ranges::lower_bound(leaving, thread, {}, &Leaver::thread),
                     {thread, thread == arrived.front()});
    arrived.clear();
  }
};

/// Argument of every operation: 0, or one more than the count of a barrier that a library initialized before
/// the checker took over.
class BarrierTransition : public Transition {
 public:
  BarrierTransition(const VisibleOp& op, const char* call)
      : Transition(op, {objectAt(op.object)}), call_(call) {}

  bool enabled(const ModelState&) const override { return true; }
  std::string describe(const Names& names) const override { return call_ + ("(" + names.object(id()) + ")"); }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    Barrier::Life life = barrier(state).life;
    bool early = life == Barrier::Life::Unknown && visible().args[0] != 0;
    if (life == Barrier::Life::Usable || early) return std::nullopt;
    return names.thread(thread()) + " calls " + call_ + " on " + names.object(id()) + ", which " +
           (life == Barrier::Life::Destroyed ? "has been destroyed" : "was never initialized");
  }

 protected:
  ObjectId id() const { return objects()[0]; }
  const Barrier& barrier(const ModelState& state) const { return state.get<Barrier>(id()); }
  Barrier& edit(ModelState& state) const {
    auto& edited = state.edit<Barrier>(id());
    if (edited.life == Barrier::Life::Unknown && visible().args[0] != 0) {
      edited.life = Barrier::Life::Usable;
      edited.count = static_cast<std::uint32_t>(visible().args[0] - 1);
    }
    return edited;
  }
  std::string waiters(const ModelState& state, const Names& names) const {
    const auto& arrived = barrier(state).arrived;
    return names.thread(arrived.front()) + (arrived.size() > 1 ? " and others wait" : " waits");
  }

 private:
  const char* call_;
};

class Init : public BarrierTransition {
 public:
  explicit Init(const VisibleOp& op) : BarrierTransition(op, "pthread_barrier_init") {}
  Result apply(ModelState& state) const override {
    if (visible().args[1] == 0) return EINVAL;
    edit(state).init(static_cast<std::uint32_t>(visible().args[1]));
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (!barrier(state).leaving.empty())
      return names.thread(thread()) + " initializes " + names.object(id()) + " again before all have left it";
    if (barrier(state).arrived.empty()) return std::nullopt;
    return names.thread(thread()) + " initializes " + names.object(id()) + " again while " +
           waiters(state, names) + " there";
  }
};

/// A half of a wait. As long as no more threads come than the barrier counts, all of them meet in every
/// round, so the rounds have nothing to do with one another and the order within a round does not matter. If
/// there are more, who comes first decides who meets whom. That is not known when the first ones come: it is
/// learnt in each run, and asked for when two operations are compared. While both are on their way and only
/// one of them has a place in the round, there are enough threads in the crowd to tell.
class Half : public BarrierTransition {
 public:
  bool failed(Result) const override { return false; }
  Half(const VisibleOp& op, const ModelState& state)
      : BarrierTransition(op, "pthread_barrier_wait"),
        crowd_(barrier(state).crowd),
        count_(barrier(state).count),
        round_(barrier(state).roundsOf(op.thread)) {
    if (crowd_) addTo(*crowd_, op.thread);
  }

 protected:
  bool isCrowded() const { return !crowd_ || crowd_->size() > count_; }
  /// How many times the thread has arrived before.
  std::uint32_t round() const { return round_; }

 private:
  std::shared_ptr<Crowd> crowd_;  // shared with the state, which learns of others
  std::uint32_t count_;
  std::uint32_t round_;
};

class Leave : public Half {
 public:
  using Half::Half;
  bool enabled(const ModelState& state) const override {
    return barrier(state).leaver(thread()) != barrier(state).leaving.end();
  }
  Result apply(ModelState& state) const override {
    auto& left = state.edit<Barrier>(id());
    bool serial = left.leaver(thread())->serial;
    left.leaving.erase(left.leaver(thread()));
    return serial ? kSerial : 0;
  }
  std::optional<std::string> misuse(const ModelState&, const Names&) const override { return std::nullopt; }
  bool dependentWith(const Transition& other) const override {
    return other.op() != kLeave && (other.op() != kArrive || isCrowded());
  }
  std::string describe(const Names& names) const override { return "returns from " + describeWait(names); }
  std::string describeWait(const Names& names) const override { return Half::describe(names); }
  std::string describeResult(Result result) const override {
    return result == kSerial ? "PTHREAD_BARRIER_SERIAL_THREAD" : "";
  }
  /// Is it the end of the wait that began as the n-th one of its thread?
  bool endsRound(std::uint32_t n) const { return round() == n + 1; }

 private:
  static constexpr Result kSerial = -1;
};

class Arrive : public Half {
 public:
  using Half::Half;
  bool enabled(const ModelState& state) const override {
    return !barrier(state).hasArrived(thread()) &&
           barrier(state).leaver(thread()) == barrier(state).leaving.end();
  }
  Result apply(ModelState& state) const override {
    edit(state).arrive(thread());
    return 0;
  }
  bool dependentWith(const Transition& other) const override {
    if (other.op() != kArrive && other.op() != kLeave) return true;
    return isCrowded() || meets(other);
  }
  bool coenabledWith(const Transition& other) const override { return isCrowded() || !meets(other); }

 private:
  /// Does the other operation wait for this one?
  bool meets(const Transition& other) const {
    return other.op() == kLeave && static_cast<const Leave&>(other).endsRound(round());
  }
};

/// As in glibc, waits until those who are through have left; they do not keep anybody from destroying it. Who
/// comes later comes to the same barrier: what his arrival depends on is not a matter of when he set out.
class Destroy : public BarrierTransition {
 public:
  explicit Destroy(const VisibleOp& op) : BarrierTransition(op, "pthread_barrier_destroy") {}
  bool enabled(const ModelState& state) const override { return barrier(state).leaving.empty(); }
  Result apply(ModelState& state) const override {
    edit(state).life = Barrier::Life::Destroyed;
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (auto general = BarrierTransition::misuse(state, names)) return general;
    if (barrier(state).arrived.empty()) return std::nullopt;
    return names.thread(thread()) + " destroys " + names.object(id()) + " while " + waiters(state, names) +
           " there";
  }
  bool coenabledWith(const Transition& other) const override { return other.op() != kLeave; }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override {
    std::vector<ThreadId> threads;
    for (const auto& leaver : barrier(state).leaving) threads.push_back(leaver.thread);
    return threads;
  }
};

}  // namespace

MCMINI_PLUGIN("barrier", catalog) {
  catalog.add<Init>("barrier.init");
  catalog.add<Arrive>("barrier.arrive");
  catalog.add<Leave>("barrier.leave");
  catalog.add<Destroy>("barrier.destroy");

  for (std::uint64_t count : {1U, 2U, 3U}) {
    Catalog::Calls calls = callsOf({"barrier.arrive", "barrier.leave", "barrier.destroy"}, 8);
    calls.push_back({"barrier.init", 8, {0, count}});
    catalog.addTrial(calls);
  }
}
