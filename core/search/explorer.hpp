#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "core/search/finding.hpp"
#include "core/search/strategy.hpp"

namespace mcmini {

class Trials;

/// What an exploration may cost.
struct Limits {
  std::uint32_t threadDepth = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t runDepth = 200'000;
  std::uint64_t traces = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t repeats =
      1;  ///< How often a loop that takes things and gives them back goes round once more.
  bool firstBugOnly = false;
  bool simplify = false;  ///< Are findings to be shown with the simplest run that leads to them?
  bool leaks = false;     ///< Is it a bug to leave things behind that were to be undone?
  RaceRules races;        ///< Which accesses to memory are bugs.
  Policies policies;      ///< Who wakes when.
  std::function<bool()> timeIsUp = [] { return false; };
};

/// How a run ended.
enum class Ending : std::uint8_t {
  Complete,
  Deadlock,
  Crashed,
  AssertionFailed,
  Misused,
  Exited,
  DepthBound,
  Stuck,
  Livelock,
  Looped,
  GivenUp,
  AwaitsSignal,
  Redundant,
  Strayed,
  Beyond,
  OutOfTime,
};

/// Why an exploration ended before all runs were done.
enum class Cut : std::uint8_t { None, Traces, Time, FirstBug, Interrupted, Stuck };

struct Summary {
  std::uint64_t traces = 0;
  /// Steps; neither those repeated only to get to a new branch are counted, nor interruptions.
  std::uint64_t transitions = 0;
  std::uint64_t blocked = 0;             ///< Runs given up as redundant.
  std::uint64_t givenUp = 0;             ///< Runs in which the program gave up (Transition::givesUp).
  std::uint64_t bugs = 0;                ///< Distinct ones.
  std::optional<Finding::Kind> verdict;  ///< Of the first bug.
  bool threadDepthMet = false;
  bool runDepthMet = false;
  bool stuckSeen = false;
  bool strayed = false;       ///< Some orders could not be followed, since threads communicate out of sight.
  bool uncontrolled = false;  ///< Threads wait for each other by calls that nobody models.
  bool signalled = false;     ///< Handlers of signals run at a time that nobody chose.
  bool endedUnseen = false;   ///< Some runs ended at no operation, while threads had more to do.
  bool inputLate = false;     ///< Standard input came when the runs had none already.
  bool interrupted = false;   ///< Some threads worked for long, or waited for memory, which nobody sees.
  bool racesLeft = false;     ///< Not all that may come of the races was followed.
  bool racesMeant = false;    ///< Nor what may come of those that are meant to be.
  bool accessesLost = false;  ///< Some runs access more memory than could be recorded.
  CodeAddress cutLoop = 0;    ///< Where a loop begins that was not followed for ever; 0 if there is none.
  Cut cut = Cut::None;
  double done = 0;                  ///< At the end: how much of the search is over (see Strategy::done).
  std::uint32_t deepestThread = 0;  ///< The most operations that a thread took in a run.

  bool isPartial() const { return strayed || uncontrolled || signalled || endedUnseen || inputLate; }
};

/// Is told what an exploration comes across.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void onFinding(const Finding& /*finding*/) {}
  /// The process ended while these threads were still there, waiting.
  virtual void onThreadsLeft(const Execution& /*run*/, const std::vector<TransitionPtr>& /*waiting*/) {}
  /// The last event ends the process. When its thread had nothing else left to do, these were not done.
  virtual void onThreadsRunning(const Execution& /*run*/, const std::vector<ThreadId>& /*threads*/) {}
  virtual void onRunEnd(const Execution& /*run*/, Ending /*ending*/, const Summary& /*soFar*/) {}
};

/// Does one run after the other, as the strategy says, and judges each.
class Explorer {
 public:
  Explorer(Target& target, const Catalog& catalog, Strategy& strategy, const Limits& limits,
           Observer& observer);

  /// For trials: knows what the other run has learnt, lets anyone move after each step, and tells of every
  /// finding as it is.
  Explorer(Target& target, const Execution& other, Strategy& strategy, const Limits& limits,
           Observer& observer);

  /// Throws Nondeterminism or UnknownOperation if the target cannot be explored; summary() tells how far it
  /// got.
  void run();

  const Summary& summary() const { return summary_; }

  /// The run that was done last.
  const Execution& lastRun() const { return run_; }

 private:
  void explore();
  Ending followOrSkip(const Branch& branch);
  void beginAnew();
  std::optional<Branch> nextBranch();
  Ending runTrace(const Branch& branch);
  Ending walk();
  Ending judge();
  void leaveOff();
  void bringDown(Finding::Kind kind);
  void refuse(ThreadId thread);
  void report(Finding finding);
  void reportLeaks();
  void reportChanceDeadlocks();
  Finding finding(Finding::Kind kind) const;
  void confirm(Finding& finding);
  void explain(Finding& finding);
  void tryToExplain(Finding& finding);
  void simplify(Finding& finding, Trials& trials);
  bool repeats(const Finding& finding) const;
  void lookForRaces(std::size_t count = SIZE_MAX);
  void reportRaces();
  bool promoteRaces();
  bool isNewRace(const Finding& finding);
  bool showsRace(const Finding& finding) const;
  void checkThatItRepeats();
  bool mayGoOn();
  bool returnsTooOften();

  Target& target_;
  Strategy& strategy_;
  const Limits& limits_;
  Observer& observer_;
  Execution run_;
  Summary summary_;
  std::uint64_t runs_ = 0;  // also those before the search began anew
  bool gaveWay_ = false;    // has the strategy?
  std::set<std::string> known_;
  std::set<std::string> racyLines_;
  std::vector<Finding> races_;         // of the current run, to be reported at its end
  std::vector<MemoryRange> racy_;      // where they are
  std::vector<MemoryRange> promoted_;  // where accesses are operations
  std::uint32_t promotions_ = 0;       // how often that changed
  std::uint32_t stuckRuns_ = 0;
  std::uint32_t explained_ = 0;
  bool isTrial_ = false;
};

}  // namespace mcmini
