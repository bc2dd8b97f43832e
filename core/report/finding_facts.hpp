#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/report/effects.hpp"
#include "core/report/places.hpp"
#include "core/report/symbolizer.hpp"
#include "core/report/target_names.hpp"
#include "core/search/finding.hpp"

namespace mcmini {

/// Something that a thread holds.
struct Holding {
  ObjectId object{};
  std::string name;
  Location taken;  ///< Where the thread did something to it last.
};

/// Who holds it.
struct Holder {
  std::string name;
  Holding holding;
};

/// A thread that does not get on.
struct HeldUp {
  ThreadId thread{};
  std::string name;
  std::vector<Holding> holds;
  std::string call;  ///< In which it waits, or which it repeats; empty: it goes round without any.
  Location place;
  std::vector<ThreadId> waitsFor;  ///< One of them must act first; empty: could be anyone.
  std::string wanted;              ///< What those have that it waits for; empty if that is nothing to have.
  bool isToTake = false;  ///< The call is there to take what is wanted, rather than something else, too.
};

/// One step of the schedule.
struct StepFact {
  std::size_t number = 0;  ///< From 1, as the user counts.
  ThreadId thread{};
  std::string name;  ///< Of the thread.
  std::string call;
  Location place;
  std::string result;    ///< What it means; empty if it needs no mention.
  bool isFault = false;  ///< It breaks a rule, has left something behind, or is never got over.
};

/// What there is to say about a finding, in the user's words, for whoever writes it down. Looked up when
/// asked for: a schedule may be long. The finding and the symbolizer outlive it.
class FindingFacts {
 public:
  FindingFacts(const Finding& finding, const Symbolizer& symbolizer);

  const Finding& finding() const { return finding_; }
  const TargetNames& names() const { return names_; }

  /// "DEADLOCK".
  std::string title() const;
  /// What happened, and where if there is one place.
  std::string sentence() const;
  /// Where it happened, if there is one place; else unknown.
  Location place() const;

  /// The threads that wait, those of a circle first, and those that go round in a loop; for a deadlock or
  /// livelock.
  std::vector<HeldUp> waiting() const;
  std::vector<HeldUp> repeating() const;

  /// Who holds what a misuse is about.
  std::vector<Holder> holdersOfMisused() const;

  /// The threads that wait for each other, each for the next and the last for the first; empty if there is no
  /// circle.
  std::vector<ThreadId> cycle() const;

  /// The calls that the thread was in which came to harm, innermost first.
  std::vector<Location> stack() const;

  /// The same for any stack.
  std::vector<Location> framesOf(const Stack& stack) const;

  /// Where the thread did something to the object last, in the first `events` events.
  Location whereTaken(ThreadId thread, ObjectId object, std::size_t events) const;

  /// The events to show, as indices into the finding's events: all but those that did not take place.
  std::vector<std::size_t> shownEvents() const;
  StepFact step(std::size_t event) const;

  /// What is not done, because its threads wait at the end of the schedule, or would only go round in a loop.
  /// Their number is 0.
  std::vector<StepFact> waitingSteps() const;

  /// What could have been expected, or done better; each piece of advice once.
  std::vector<std::string> tips() const;

  /// What the program printed.
  const std::string& output() const { return finding_.rehearsal.output; }

 private:
  std::optional<ThreadId> selfDeadlocked() const;
  std::string deadlockSentence() const;
  std::string lostWakeup(const LostWakeup& lost) const;
  std::string lockOrder() const;
  std::string neverUndone(const LeftBehind& left) const;
  const Stack& stackOfPending(ThreadId thread) const;
  Location placeOfPending(const Transition& transition) const;
  Location placeOfEvent(std::size_t event) const;
  Location whereTaken(ThreadId thread, ObjectId object) const {
    return whereTaken(thread, object, finding_.events.size());
  }
  std::vector<Holding> heldBy(ThreadId thread) const;
  HeldUp heldUp(const Transition& transition, std::string call) const;
  std::optional<ObjectId> wantedBy(const Transition& transition) const;
  const Transition* waitOf(ThreadId thread) const;
  std::optional<ThreadId> waitsFor(ThreadId thread) const;

  const Finding& finding_;
  const Symbolizer& symbolizer_;
  TargetNames names_;
  std::vector<std::size_t> stepOf_;  // by event: how many before it took place
};

}  // namespace mcmini
