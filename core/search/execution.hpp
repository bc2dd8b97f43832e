#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/model/catalog.hpp"
#include "core/search/event.hpp"
#include "core/search/failures.hpp"
#include "core/search/faults.hpp"
#include "core/search/interruptions.hpp"
#include "core/search/known_loops.hpp"
#include "core/search/loops.hpp"
#include "core/search/target.hpp"

namespace mcmini {

/// Is it an error of the program to carry it out in this state?
bool isMisuse(const Transition& transition, const ModelState& state);

/// A run in progress: the target and the model side by side, moved one event at a time.
class Execution {
 public:
  /// How far the search goes. A thread that has taken `threadDepth` operations is cut: it moves no more.
  struct Depth {
    std::uint32_t thread;
    std::uint32_t run;
  };

  Execution(Target& target, const Catalog& catalog, Depth depth, Loops loops, const ModelState& initial)
      : target_(target), catalog_(catalog), depth_(depth), loops_(loops), initial_(initial) {}

  /// From now on threads stop at each operation, so that anyone may be chosen after it.
  void askAlways() { asksAlways_ = true; }

  /// Begins a run that shares a prefix with the current one. If the last transition to take is a misuse, it
  /// becomes a doomed event.
  void restart(const Branch& branch);

  /// Lets one of the enabled() threads take its pending operation. `patience` with it: if none is given, as
  /// much as others leave it. `alternative`: which one of several (Transition::choices).
  void step(ThreadId thread, std::optional<std::uint32_t> patience = std::nullopt,
            std::uint32_t alternative = 0);

  /// The last event brought its thread down. The run goes on without that thread; `crashed`: but with what it
  /// did.
  void bringDown(bool crashed);

  /// Makes the pending operation of a thread a doomed event, without carrying it out. Follow with relaunch().
  void doom(ThreadId thread);

  /// Brings the target to where this run is, from the start.
  void relaunch();

  /// No thread is left: lets the process end.
  void finish() { stop_ = target_.finish(); }

  /// Why the target stands still. Anything but Waiting concerns the last event.
  const Stop& stop() const;
  bool signalled() const { return stop_.signalled; }

  const std::vector<Event>& events() const { return events_; }
  const ModelState& initial() const { return initial_; }
  const ModelState& state() const { return state_; }

  /// What a thread would do next; null if it has ended, is cut, or did not survive.
  const TransitionPtr& pending(ThreadId thread) const;

  /// The same, should it go another way.
  TransitionPtr pendingAs(ThreadId thread, std::uint32_t alternative) const;

  /// The threads that can move now, lowest first, or would be at fault to wait where they are. Those that
  /// would end the process are among them only when no other can move.
  const std::vector<ThreadId>& enabled() const { return enabled_; }

  /// The threads that could move, but would only go round in a loop once more. They wait for others to move.
  const std::vector<ThreadId>& spinning() const { return spinning_; }

  /// Those, and the ones that get nowhere without reaching an operation, if nobody else can move.
  std::vector<ThreadId> goingRound() const;

  /// Has any thread gone round in a loop that was looked into? Otherwise nothing spins.
  bool knowsLoops() const { return !knownLoops_.empty(); }

  /// Would the transition, after these steps and in this state, be another futile round of its thread?
  bool spins(const std::vector<Taken>& steps, const ModelState& state, const Transition& next) const;

  /// The run so far, as steps.
  const std::vector<Taken>& taken() const { return steps_; }

  /// Has a loop been found, since this was asked last, that was followed for long until then? From now on it
  /// is not.
  bool foundLoop() { return std::exchange(foundLoop_, false); }

  /// Where a loop was cut short that takes things and gives them back; 0 if none was.
  CodeAddress cutLoop() const { return cutLoop_; }

  /// Has the last event failed? Then: how often in this run has the whole program been where it is now, the
  /// same state and every thread about to do the same, with more than one thread moving in between?
  std::uint32_t returns() const { return failures_.returns({events_, pending_}); }

  /// Was the whole program, after one of the events from this one to the last but one, back that often where
  /// it had been?
  bool hasReturned(std::size_t from, std::uint32_t times) const {
    return failures_.hasReturned({events_, pending_}, from, times);
  }

  /// Lets the spinning threads go round in turn, up to this many times each. Does one leave its loop without
  /// help? Ends the run.
  bool leavesLoop(std::uint32_t rounds);

  /// The loops of the spinning threads come to an end. Follows them.
  void followLoops();

  /// How many of the events the target did, if the run strayed from them.
  std::size_t followed() const { return std::min(followed_, events_.size()); }

  /// The thread of the last event.
  ThreadId mover() const { return events_.empty() ? kMainThread : events_.back().transition->thread(); }

  /// The threads that have been interrupted, and could go on, but nobody else has moved since. Without those
  /// that have gone on for very long.
  std::vector<ThreadId> interrupted() const;

  /// Was a thread ever interrupted, in this run or before? Then it is likely that threads wait for memory.
  bool everInterrupted() const { return everInterrupted_; }

  /// The most operations that a thread has taken.
  std::uint32_t deepestThread() const { return taken_.empty() ? 0 : std::ranges::max(taken_); }

  bool isCut(ThreadId thread) const;
  bool anyCut() const;

  /// Has a thread been brought down?
  bool anyLost() const { return !lost_.empty(); }

  /// Indices of the doomed events.
  const std::vector<std::size_t>& doomed() const { return doomed_; }

  /// Is the pending operation impossible only because something doomed came before it?
  bool heldBack(const Transition& pending) const;

 private:
  void rebuild(std::vector<Event>& prefix, std::size_t keep);
  bool start(std::size_t known);
  std::size_t launch(std::size_t known);
  bool adapt(std::size_t different);
  [[noreturn]] void complain(std::size_t different, std::size_t known);
  bool lost(ThreadId thread) const;
  void push(const Event& event);
  void doomLast();
  void announceAll();
  void announce(ThreadId thread);
  TransitionPtr make(const VisibleOp& op, const ModelState& state) const;
  void refreshEnabled();
  bool othersCanMove(ThreadId thread) const;
  Loops::Kind loopOf(const Transition& next);
  KnownLoops::Outlook tryLoop(Loops::Kind kind, ThreadId thread);
  bool goesOn(const std::vector<ThreadId>& threads, std::uint32_t rounds, std::vector<Step>* told = nullptr);
  std::size_t stepsInLoop(const std::vector<Step>& told);
  void carryOut(Step step);
  void noteWork();
  bool ranAhead() const { return performed_ < target_.taken(); }
  bool wasInVain(ThreadId thread) const { return index(thread) < inVain_.size() && inVain_[index(thread)]; }
  std::uint32_t runAhead(ThreadId thread) const;

  Target& target_;
  const Catalog& catalog_;
  Depth depth_;
  Loops loops_;
  const ModelState initial_;
  ModelState state_;
  std::vector<Event> events_;
  std::vector<TransitionPtr> pending_;  // by thread
  std::vector<std::uint32_t> taken_;    // operations by thread
  std::vector<Taken> steps_;            // the events once more
  Failures failures_;
  std::vector<bool> inVain_;           // by thread: did it ever do something in vain in this run?
  std::vector<std::size_t> achieved_;  // by thread: what it did in this run that was not in vain
  std::vector<ThreadId> enabled_;
  std::vector<ThreadId> spinning_;
  std::vector<ThreadId> busy_;  // those in loops that would go on, but get nowhere as far as can be seen
  std::vector<ThreadId> interrupted_;  // those that had their time, and nobody else moved since
  bool everInterrupted_ = false;
  bool careful_ = false;      // what threads did before they were interrupted was seen by others
  std::optional<Turn> turn_;  // of the enabled thread, if all were interrupted
  KnownLoops knownLoops_;
  CodeAddress cutLoop_ = 0;
  bool foundLoop_ = false;
  bool hasBusyLoop_ = false;  // threads have to be looked after all the time
  bool asksAlways_ = false;
  std::uint32_t streak_ = 0;         // how many of the last events are the mover's
  std::size_t performed_ = 0;        // events that the target has carried out in this run, or is about to
  std::size_t followed_ = SIZE_MAX;  // events that the target did, if it did not follow the plan to its end
  std::vector<Step> deferred_;       // what it has not been told yet
  std::vector<std::size_t> doomed_;
  std::vector<ThreadId> lost_;  // those that were brought down
  Stop stop_;
};

}  // namespace mcmini
