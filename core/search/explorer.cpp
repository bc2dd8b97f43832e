#include "core/search/explorer.hpp"

#include <algorithm>
#include <chrono>

#include "core/search/chance.hpp"
#include "core/search/end_of_process.hpp"
#include "core/search/trials.hpp"

namespace mcmini {

namespace {

constexpr std::uint32_t kStuckRuns = 3;  // each costs a whole time-out
constexpr std::uint32_t kLivelockRounds = 100'000;
constexpr std::uint32_t kKnownLivelockRounds = 5000;
constexpr std::uint32_t kLivelockRoundsOfTrial = 100;
constexpr std::uint32_t kMostExplained = 20;  // findings; more than that nobody reads

/// From that event on, those that the program calls for: how often a thread that works for long is
/// interrupted depends on the machine.
std::size_t operations(const Execution& run, std::size_t from) {
  const std::vector<Event>& events = run.events();
  return static_cast<std::size_t>(
      std::count_if(events.begin() + static_cast<std::ptrdiff_t>(from), events.end(),
                    [](const Event& event) { return !event.transition->involuntary(); }));
}

std::optional<Finding::Kind> kindOf(const Stop& stop) {
  switch (stop.kind) {
    case Stop::Kind::Crashed:
      return Finding::Kind::Crash;
    case Stop::Kind::Asserted:
      return Finding::Kind::Assertion;
    case Stop::Kind::Stuck:
      return Finding::Kind::Stuck;
    default:
      return std::nullopt;
  }
}

Ending endingOf(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::Crash:
      return Ending::Crashed;
    case Finding::Kind::Assertion:
      return Ending::AssertionFailed;
    case Finding::Kind::Misuse:
      return Ending::Misused;
    default:
      return Ending::Stuck;
  }
}

}  // namespace

Explorer::Explorer(Target& target, const Catalog& catalog, Strategy& strategy, const Limits& limits,
                   Observer& observer)
    : target_(target),
      strategy_(strategy),
      limits_(limits),
      observer_(observer),
      run_(target, catalog, {limits.threadDepth, limits.runDepth}, Loops(limits.repeats),
           ModelState(limits.policies)) {}

Explorer::Explorer(Target& target, const Execution& other, Strategy& strategy, const Limits& limits,
                   Observer& observer)
    : target_(target),
      strategy_(strategy),
      limits_(limits),
      observer_(observer),
      run_(other),
      isTrial_(true) {
  run_.askAlways();
}

void Explorer::run() {
  explore();
  if (summary_.traces > 0) summary_.done = strategy_.done();
}

void Explorer::explore() {
  try {
    while (std::optional<Branch> branch = nextBranch()) {
      if (!mayGoOn()) return;
      Ending ending = followOrSkip(*branch);
      if (run_.foundLoop()) {
        beginAnew();
        continue;
      }
      if (ending == Ending::Strayed && isTrial_) return;  // others would, too, and each takes time
      if (ending == Ending::Strayed || ending == Ending::Beyond) {
        reportRaces();
        if (promoteRaces()) beginAnew();
        continue;
      }
      if (ending == Ending::OutOfTime) return;
      summary_.interrupted = run_.everInterrupted();
      (ending == Ending::Redundant ? summary_.blocked : summary_.traces)++;
      if (ending != Ending::Redundant) ++runs_;
      if (anyGaveUp(run_)) ++summary_.givenUp;
      summary_.deepestThread = std::max(summary_.deepestThread, run_.deepestThread());
      if (!isTrial_) reportChanceDeadlocks();
      reportRaces();
      strategy_.learn(run_);
      observer_.onRunEnd(run_, ending, summary_);
      if (promoteRaces()) {
        beginAnew();
        continue;
      }
      if (summary_.traces == 1 && !isTrial_) checkThatItRepeats();
    }
  } catch (const Interrupted&) {
    summary_.cut = limits_.timeIsUp() ? Cut::Time : Cut::Interrupted;
  }
}

/// All rounds of a loop that was not known to be one would be taken for work, and put into every order.
void Explorer::beginAnew() {
  if (runs_ >= limits_.traces) return;
  strategy_.forget();
  summary_.traces = summary_.transitions = summary_.blocked = summary_.givenUp = 0;
  summary_.strayed = gaveWay_;
}

/// Where some orders could not be followed, another search may find those that matter. With threads that wait
/// for memory it would take too much time.
std::optional<Branch> Explorer::nextBranch() {
  std::optional<Branch> branch = strategy_.next();
  if (branch || isTrial_ || !summary_.strayed || run_.everInterrupted() || !strategy_.giveWay())
    return branch;
  gaveWay_ = true;
  return strategy_.next();
}

/// An order that the program does not follow cannot be explored; others can. Where a thread waits for memory,
/// the order may be impossible, or it may need another one of what seemed to have no order.
Ending Explorer::followOrSkip(const Branch& branch) {
  try {
    return runTrace(branch);
  } catch (const HiddenCommunication&) {
    summary_.strayed = true;
    lookForRaces(run_.followed());
    return Ending::Strayed;
  }
}

bool Explorer::mayGoOn() {
  if (runs_ >= limits_.traces)
    summary_.cut = Cut::Traces;
  else if (limits_.timeIsUp())
    summary_.cut = Cut::Time;
  else if (limits_.firstBugOnly && summary_.bugs > 0)
    summary_.cut = Cut::FirstBug;
  else if (stuckRuns_ >= kStuckRuns)
    summary_.cut = Cut::Stuck;
  return summary_.cut == Cut::None;
}

Ending Explorer::runTrace(const Branch& branch) {
  std::size_t before = branch.keep;
  run_.restart(branch);
  if (run_.hasReturned(branch.keep, limits_.repeats)) return Ending::Beyond;  // where another run was cut
  bool misused = !branch.then.empty() && run_.events().back().doomed && !branch.then.back().doomed;
  if (misused) {
    Finding found = finding(Finding::Kind::Misuse);
    found.state = run_.initial();
    for (const Event& event : found.events)
      if (!event.doomed) event.transition->apply(found.state);
    report(std::move(found));
    run_.relaunch();
  }
  Ending ending = walk();
  if (ending == Ending::DepthBound || ending == Ending::Redundant || ending == Ending::Looped) lookForRaces();
  summary_.transitions += operations(run_, before);
  return ending;
}

/// Takes steps until there is none to take.
Ending Explorer::walk() {
  while (true) {
    if (auto kind = kindOf(run_.stop())) {
      bringDown(*kind);
      if (run_.events().empty()) return endingOf(*kind);
      continue;
    }
    if (run_.stop().kind == Stop::Kind::Exited || run_.enabled().empty()) return judge();
    if (run_.events().size() >= limits_.runDepth) {
      summary_.runDepthMet = true;
      leaveOff();
      return Ending::DepthBound;
    }
    if (run_.events().size() % 1024 == 1023 && limits_.timeIsUp()) {
      summary_.cut = Cut::Time;
      return Ending::OutOfTime;
    }
    if (returnsTooOften()) {
      leaveOff();
      return Ending::Looped;
    }
    std::optional<ThreadId> thread = strategy_.choose(run_);
    if (!thread) return Ending::Redundant;
    if (isMisuse(*run_.pending(*thread), run_.state()))
      refuse(*thread);
    else
      run_.step(*thread, strategy_.patience(), strategy_.alternative());
  }
}

/// Some could go on, and yet others may wait for each other.
void Explorer::leaveOff() {
  if (run_.signalled()) summary_.signalled = true;
  if (!deadlockedThreads(run_).empty()) report(finding(Finding::Kind::Deadlock));
}

/// The last event was the end of its thread. Other threads' bugs that do not need it are still to be found.
void Explorer::bringDown(Finding::Kind kind) {
  if (kind == Finding::Kind::Stuck && anyGaveUp(run_)) return run_.bringDown(false);
  if (kind == Finding::Kind::Stuck) {
    ++stuckRuns_;
    summary_.stuckSeen = true;
  }
  lookForRaces();
  report(finding(kind));
  if (!run_.events().empty()) run_.bringDown(kind != Finding::Kind::Stuck);
}

void Explorer::refuse(ThreadId thread) {
  Finding found = finding(Finding::Kind::Misuse);
  run_.doom(thread);
  found.events = run_.events();
  report(std::move(found));
  run_.relaunch();
}

/// Threads that hinder each other may do so for ever: each tries, fails, gives back, tries again. Where the
/// whole program is back where it has been, more of the same is not followed.
bool Explorer::returnsTooOften() {
  if (run_.returns() < limits_.repeats) return false;
  summary_.cutLoop = run_.events().back().transition->visible().site;
  return true;
}

Ending Explorer::judge() {
  lookForRaces();
  auto waiting = blockedTransitions(run_);
  bool left = std::ranges::any_of(waiting, [](const TransitionPtr& t) { return !t->endsProcess(); });
  if (run_.anyCut()) summary_.threadDepthMet = true;
  if (run_.signalled()) summary_.signalled = true;
  if (run_.stop().kind == Stop::Kind::Exited) {
    if (run_.cutLoop() != 0) summary_.cutLoop = run_.cutLoop();
    if (endedUnseen(run_)) summary_.endedUnseen = true;
    if (left) observer_.onThreadsLeft(run_, waiting);
    if (auto threads = cutOff(run_); !threads.empty()) observer_.onThreadsRunning(run_, threads);
    if (run_.stop().status != 0) report(finding(Finding::Kind::Exit));
    reportLeaks();
    return Ending::Exited;
  }
  bool gaveUp = anyGaveUp(run_);
  if (auto round = run_.goingRound(); !round.empty() && !gaveUp) {
    // Some go round, and yet others may wait for each other.
    bool isDeadlock = !deadlockedThreads(run_).empty();
    Finding found = finding(isDeadlock ? Finding::Kind::Deadlock : Finding::Kind::Livelock);
    bool isKnown = known_.contains(found.key());
    if (run_.leavesLoop(isTrial_  ? kLivelockRoundsOfTrial
                        : isKnown ? kKnownLivelockRounds
                                  : kLivelockRounds)) {
      run_.followLoops();
      return walk();
    }
    if (run_.cutLoop() != 0) summary_.cutLoop = run_.cutLoop();
    if (!isDeadlock && run_.signalled()) return Ending::AwaitsSignal;  // a handler may end the loop
    if (round.size() > run_.spinning().size()) ++stuckRuns_;
    report(std::move(found));
    return isDeadlock ? Ending::Deadlock : Ending::Livelock;
  }
  if (run_.cutLoop() != 0) summary_.cutLoop = run_.cutLoop();
  if (!deadlockedThreads(run_).empty()) {
    report(finding(Finding::Kind::Deadlock));
    return Ending::Deadlock;
  }
  if (run_.anyCut()) return Ending::DepthBound;
  if (run_.signalled() && left) return Ending::AwaitsSignal;
  if (run_.anyLost()) return Ending::Crashed;
  if (gaveUp) return Ending::GivenUp;
  run_.finish();
  lookForRaces();
  if (auto kind = kindOf(run_.stop())) report(finding(*kind));
  if (run_.stop().kind == Stop::Kind::Exited && run_.stop().status != 0) report(finding(Finding::Kind::Exit));
  reportLeaks();
  return Ending::Complete;
}

Finding Explorer::finding(Finding::Kind kind) const {
  Finding found;
  found.kind = kind;
  found.trace = summary_.traces + summary_.blocked + 1;
  found.events = run_.events();
  found.initial = run_.initial();
  found.state = run_.state();
  for (std::uint32_t i = 0; i < run_.state().threadCount(); ++i)
    if (const TransitionPtr& next = run_.pending(ThreadId{i})) found.pending.push_back(next);
  found.blocked = blockedTransitions(run_);
  for (ThreadId thread : run_.goingRound()) found.spinning.push_back(run_.pending(thread));
  if (kind == Finding::Kind::Deadlock) found.deadlocked = deadlockedThreads(run_);
  found.stop = run_.stop();
  return found;
}

void Explorer::report(Finding found) {
  if (isTrial_) return observer_.onFinding(found);
  if (!known_.insert(found.key()).second) return;
  confirm(found);
  if (found.race && !isNewRace(found)) return;
  explain(found);
  ++summary_.bugs;
  if (!summary_.verdict) summary_.verdict = found.kind;
  observer_.onFinding(found);
}

/// Whatever goes wrong here, the finding has been confirmed. The target is where it was afterwards.
void Explorer::explain(Finding& found) {
  if (!limits_.simplify || run_.everInterrupted() || ++explained_ > kMostExplained) return;
  try {
    tryToExplain(found);
    target_.launch(stepsOf(run_.events(), run_.events().size()), 0);
  } catch (const Interrupted&) {
    // so will the next run be
  }
}

void Explorer::tryToExplain(Finding& found) {
  Trials trials(target_, run_, limits_);
  try {
    simplify(found, trials);
    found.noReturn = pointOfNoReturn(found, trials);
  } catch (const std::runtime_error&) {
    // what could not be followed is left as it was
  }
}

void Explorer::simplify(Finding& found, Trials& trials) {
  std::string key = found.key();
  Finding simple = simplest(found, [&](const Order& order) { return trials.follow(order, key); });
  if (orderOf(simple.events) == orderOf(found.events)) return;
  std::size_t before = switchesOf(found).all;
  if (before > switchesOf(simple).all) simple.switchesWhenFound = before;
  confirm(simple);
  found = std::move(simple);
}

/// A program that gives up, with another status than 0, need not clean up.
void Explorer::reportLeaks() {
  const Stop& stop = run_.stop();
  if (!limits_.leaks || stop.kind != Stop::Kind::Exited || stop.status != 0 || !run_.doomed().empty() ||
      anyGaveUp(run_))
    return;
  for (const LeftBehind& one : leftBehind(run_)) {
    Finding found = finding(Finding::Kind::Misuse);
    found.leftBehind = one;
    report(std::move(found));
  }
}

void Explorer::reportChanceDeadlocks() {
  for (ChanceDeadlock& deadlock : chanceDeadlocks(run_)) {
    Finding found = asFinding(deadlock, run_.initial());
    found.trace = summary_.traces + summary_.blocked;
    report(std::move(found));
  }
}

/// A program that depends on the time or on chance is told apart early, even if it has one run only, and if
/// the machine is so busy that a run takes long.
void Explorer::checkThatItRepeats() {
  using Clock = std::chrono::steady_clock;
  constexpr int kFewest = 3, kMost = 10;
  auto end = Clock::now() + std::chrono::milliseconds(5);
  try {
    for (int i = 0; i < kMost && (i < kFewest || Clock::now() < end); ++i) run_.relaunch();
  } catch (const HiddenCommunication&) {
    summary_.strayed = true;
  }
}

}  // namespace mcmini
