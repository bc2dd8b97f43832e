#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_state.hpp"
#include "core/model/visible_op.hpp"

namespace mcmini {

/// How an operation orders what threads do to plain memory before and after it: a set of the bits below.
/// Each object carries the order that was released to it.
using MemoryOrder = std::uint8_t;

namespace memory_order {
constexpr MemoryOrder kNone = 0;  ///< It orders nothing.
/// It reads its object. With kAcquire, what was released there comes before all that its thread does from
/// now on; without, before what the thread does after its next fence that acquires.
constexpr MemoryOrder kReads = 1;
/// It writes its object. With kRelease, all that its thread did comes before whatever acquires that; without,
/// what the thread did before its last fence that releases.
constexpr MemoryOrder kWrites = 2;
constexpr MemoryOrder kAcquire = 4;
constexpr MemoryOrder kRelease = 8;
constexpr MemoryOrder kReplaces = 16;  ///< What was released to the object before is not acquired any more.
constexpr MemoryOrder kFence = 32;     ///< It concerns no object, but what its thread reads and writes.
/// Before it comes all that it depends on, and everything of their threads before that.
constexpr MemoryOrder kAsDependence = 128;

/// Of an operation that takes something: who is refused learns nothing of what others have done before.
constexpr MemoryOrder unlessRefused(Result result) {
  return result == EBUSY || result == EAGAIN || result == ETIMEDOUT ? kNone : kAsDependence;
}
}  // namespace memory_order

/// One operation of one thread: what it needs, what it does, and which other operations its place in the
/// order matters to. The search asks nothing else. A transition is a value without state of its own: it
/// is asked about many states, and in any order.
class Transition {
 public:
  /// `objects`: everything that apply reads or writes. Two transitions without a common object never meet.
  Transition(const VisibleOp& op, std::initializer_list<ObjectId> objects)
      : Transition(op, std::span(objects.begin(), objects.size())) {}
  Transition(const VisibleOp& op, std::span<const ObjectId> objects) : visible_(op), count_(objects.size()) {
    if (count_ > kFew) many_.assign(objects.begin(), objects.end());
    std::copy_n(objects.begin(), std::min(count_, kFew), few_.begin());
  }
  virtual ~Transition() = default;
  Transition(const Transition&) = delete;
  Transition& operator=(const Transition&) = delete;

  /// Could the thread finish this operation now, without blocking?
  virtual bool enabled(const ModelState& state) const = 0;

  /// Moves the model past the operation and returns what the thread gets (0, EBUSY, ...). Called only when
  /// enabled; must depend on nothing but the state.
  virtual Result apply(ModelState& state) const = 0;

  /// Does the order of the two matter: to the state after both, to what either returns, or to whether either
  /// is enabled? Asked only of two threads' operations with a common object; yes from either side is yes.
  /// A wrong no loses bugs; a wrong yes costs time.
  virtual bool dependentWith(const Transition& /*other*/) const { return true; }

  /// In this state, is it something else as far as dependentWith and onlyLooks go: a compare-and-swap that
  /// fails, or one that succeeds? Then that; null if it is what it is. Whatever it is independent of must not
  /// change that.
  virtual std::unique_ptr<Transition> asIn(const ModelState& /*state*/) const { return nullptr; }

  /// Does asIn ever return anything?
  virtual bool isConditional() const { return false; }

  /// Is there a state in which both are enabled? No from either side is no. A wrong no loses bugs.
  virtual bool coenabledWith(const Transition& /*other*/) const { return true; }

  /// A sentence if carrying it out now is an error of the program, in the words of a teacher. The run ends
  /// for this thread there. Asked only when enabled.
  virtual std::optional<std::string> misuse(const ModelState& /*state*/, const Names& /*names*/) const {
    return std::nullopt;
  }

  /// While it is not enabled: the threads of which one must act before it can be. Empty: could be anyone.
  virtual std::vector<ThreadId> blockedBy(const ModelState& /*state*/) const { return {}; }

  /// In how many ways can it go, whatever the state? All are tried, each by a transition of its own:
  /// visible().alternative says which one, and apply returns accordingly.
  virtual std::uint32_t choices() const { return 1; }

  /// Does it begin or end a section in which nobody else moves (ModelState::enterSection)? Its place in the
  /// order matters to everything that others do.
  virtual bool bordersSection() const { return false; }

  /// Does the program say at it that it is not interested in how the run goes on? It is never enabled, and if
  /// others wait for its thread for ever, that is no bug.
  virtual bool givesUp() const { return false; }

  /// How it orders plain memory, if it returned this. Only for finding data races; the search asks
  /// dependentWith.
  virtual MemoryOrder memoryOrder(Result /*result*/) const { return memory_order::kAsDependence; }

  /// Does it end the process? Such a step is taken only when no other thread can move.
  virtual bool endsProcess() const { return false; }

  /// Was the thread interrupted at it, since it reached no operation for a while? It may wait for another one
  /// to change the memory: it goes on when others have moved, or nobody else can.
  virtual bool involuntary() const { return false; }

  /// Does the result mean that the thread did not get what it wanted, and the state is as before?
  virtual bool failed(Result result) const { return (result & ~(kQueued | kSpurious)) != 0; }

  /// Does it leave everything as it is? Done over and over, with the same result, it gets nowhere.
  virtual bool onlyLooks() const { return false; }

  /// Does the result mean that the thread went on for no reason, which need not happen?
  virtual bool byChance(Result /*result*/) const { return false; }

  /// The call in the words of the API that the user called: "pthread_mutex_lock(fork[2])".
  virtual std::string describe(const Names& names) const = 0;

  /// The same for a thread that waits in it.
  virtual std::string describeWait(const Names& names) const { return describe(names); }

  /// What a result means, for a report; empty if it needs no mention. The default takes it for an error
  /// number.
  virtual std::string describeResult(Result result) const {
    if (result == 0) return "";
    if (result == kQueued) return "joins the queue";
    const char* name = strerrorname_np(static_cast<int>(result));
    return name != nullptr ? name : std::to_string(result);
  }

  /// What the user might do about it, if a bug comes after such a result; empty if there is nothing to say.
  virtual std::string tip(Result /*result*/) const { return ""; }

  /// Is it there to let threads go on that wait for it, and would do nothing in this state, because nobody
  /// waits? Who comes later waits for another one: a lost wakeup. For a report.
  virtual bool wakesNobody(const ModelState& /*before*/) const { return false; }

  /// The function that the program called, which may be another one than that with which it usually does
  /// this.
  std::string calledAs(std::string_view usual) const {
    return std::string(visible_.call.empty() ? usual : visible_.call);
  }

  ThreadId thread() const { return visible_.thread; }
  NameId op() const { return visible_.op; }
  const VisibleOp& visible() const { return visible_; }
  std::span<const ObjectId> objects() const { return {count_ > kFew ? many_.data() : few_.data(), count_}; }

 private:
  static constexpr std::size_t kFew = 6;

  VisibleOp visible_;
  std::array<ObjectId, kFew> few_{};
  std::vector<ObjectId> many_;  // if they are not few
  std::size_t count_;
};

/// Shared by the run it belongs to and by the sleep sets and wakeup trees that remember it.
using TransitionPtr = std::shared_ptr<const Transition>;

/// The transition as it is in this state.
inline TransitionPtr asIn(const ModelState& state, TransitionPtr transition) {
  if (transition && transition->isConditional())
    if (auto other = transition->asIn(state)) return TransitionPtr(std::move(other));
  return transition;
}

inline bool shareObject(const Transition& a, const Transition& b) {
  auto theirs = b.objects();
  return std::ranges::any_of(a.objects(),
                             [&](ObjectId mine) { return std::ranges::find(theirs, mine) != theirs.end(); });
}

/// Does the order of a and b matter? Operations of one thread are ordered by the program.
inline bool dependent(const Transition& a, const Transition& b) {
  if (a.thread() == b.thread() || a.bordersSection() || b.bordersSection()) return true;
  return shareObject(a, b) && (a.dependentWith(b) || b.dependentWith(a));
}

inline bool coenabled(const Transition& a, const Transition& b) {
  return a.thread() != b.thread() && a.coenabledWith(b) && b.coenabledWith(a);
}

/// Can the thread take it now? Not if another one is in a section, nor if it does not exist yet.
inline bool canMove(const Transition& transition, const ModelState& state) {
  ThreadId thread = transition.thread();
  return state.alive(thread) && state.mayMove(thread) && transition.enabled(state);
}

/// Does the thread have to wait in a section, where nobody can help it? To come to that is an offence.
inline bool waitsInSection(const Transition& transition, const ModelState& state) {
  return state.alone() == transition.thread() && !transition.givesUp() && !transition.enabled(state);
}

/// The threads of which one must act before it can be taken, as far as is known.
inline std::vector<ThreadId> hinderedBy(const Transition& transition, const ModelState& state) {
  if (!state.mayMove(transition.thread())) return {*state.alone()};
  return transition.blockedBy(state);
}

/// Does it do nothing that could bring anything new, like a yield?
inline bool touchesNothing(const Transition& transition) {
  return transition.objects().empty() && transition.choices() == 1 && !transition.bordersSection();
}

/// A sentence if it is an error of the program to come to it in this state, or to wait there.
inline std::optional<std::string> offence(const Transition& transition, const ModelState& state,
                                          const Names& names) {
  if (state.alone() != transition.thread()) return transition.misuse(state, names);
  if (transition.givesUp()) return std::nullopt;
  std::string who = names.thread(transition.thread());
  if (waitsInSection(transition, state))
    return who + " has to wait in " + transition.describeWait(names) +
           ", in an atomic section, where no other thread can move to help it";
  ModelState after = state;
  transition.apply(after);
  if (!after.alive(transition.thread()) && !transition.endsProcess())
    return who + " ends in an atomic section, without mc_atomic_end()";
  return transition.misuse(state, names);
}

}  // namespace mcmini
