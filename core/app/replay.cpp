#include "core/app/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "core/app/bug_saver.hpp"
#include "core/app/follower.hpp"
#include "core/app/terminal.hpp"
#include "core/report/bug_store.hpp"
#include "core/report/finding_facts.hpp"
#include "core/report/shell_word.hpp"
#include "core/report/text_reporter.hpp"
#include "core/search/chance.hpp"
#include "core/target/elf_file.hpp"

namespace mcmini {

namespace {

/// Bugs that a run shows.
struct Shown : Observer {
  void onFinding(const Finding& finding) override { findings.push_back(finding); }
  std::vector<Finding> findings;
};

/// One run along a schedule, and the words for what it came to.
class Replay {
 public:
  Replay(const Options& options, std::vector<Follower::Turn> schedule, Follower::Fits fits)
      : options_(options),
        session_(options),
        limits_(session_.limits()),
        follower_(std::move(schedule), std::move(fits)),
        beginning_(session_.target(), session_.catalog(), {limits_.threadDepth, limits_.runDepth},
                   Loops(limits_.repeats), ModelState(limits_.policies)),
        explorer_(session_.target(), beginning_, follower_, limits_, shown_) {
    limits_.traces = 1;
    limits_.firstBugOnly = false;
  }

  /// Threads have the same names as in another run if they are known in the same order.
  void meet(std::vector<SavedThread> threads) {
    std::ranges::sort(threads, {}, &SavedThread::id);
    std::map<std::string, ThreadId> known{{"main", kMainThread}};
    ModelState state = beginning_.initial();
    for (const SavedThread& thread : threads) {
      auto parent = known.find(thread.path.substr(0, thread.path.rfind('/')));
      if (parent != known.end() && parent->first != thread.path)
        known.emplace(thread.path, state.spawn(parent->second, 0));
    }
  }

  void run() {
    TextReporter reporter(stdout, stderr, session_.symbolizer(), {});
    try {
      session_.explore(explorer_);
    } catch (const Nondeterminism& difference) {
      throw TargetError(reporter.explain(difference, explorer_.lastRun().state()));
    }
    if (shown_.findings.empty() && !follower_.departure())
      if (auto deadlock = chanceDeadlockAt(lastRun()))
        shown_.findings.push_back(asFinding(*deadlock, lastRun().initial()));
  }

  Session& session() { return session_; }
  const Follower& follower() const { return follower_; }
  const std::vector<Finding>& findings() const { return shown_.findings; }
  const Execution& lastRun() const { return explorer_.lastRun(); }
  bool wasInterrupted() const { return explorer_.summary().cut != Cut::None; }

  /// Prints what is known of a bug.
  void print(Finding found, const TextSettings& settings) {
    rehearse(found);
    TextReporter(stdout, stderr, session_.symbolizer(), settings).onFinding(found);
  }

  void rehearse(Finding& found) {
    bool finishes = found.finishes || found.stop.kind != Stop::Kind::Waiting;
    askAbout(found, session_.target());
    auto steps = stepsOf(found.events, found.events.size(), found.spinning, true);
    found.rehearsal = session_.target().rehearse(steps, finishes);
    const Stop& again = found.rehearsal.stop;
    if (again.kind == found.stop.kind && again.signal == found.stop.signal) return;
    TextReporter reporter(stdout, stderr, session_.symbolizer(), {});
    throw TargetError(reporter.explain(Nondeterminism(steps.size(), nullptr, nullptr), lastRun().state()));
  }

  /// The run so far as a finding, for its steps, which is none.
  Finding soFar() {
    const Execution& run = lastRun();
    Finding none;
    none.events = run.events();
    none.initial = run.initial();
    none.state = run.state();
    askAbout(none, session_.target());
    none.rehearsal = session_.target().rehearse(stepsOf(run.events(), run.events().size()), false);
    return none;
  }

  /// "worker#1 pthread_mutex_lock(a) at x.c:7".
  std::string words(const Transition& t) const {
    TargetNames names(session_.symbolizer(), lastRun().state());
    std::string place = placeOf({}, t.visible().site, session_.symbolizer());
    return fmt::format("{}  {}{}", names.thread(t.thread()), t.describe(names),
                       place.empty() ? "" : " at " + place);
  }

  /// Why the schedule could not be followed.
  std::string words(const Follower::Departure& departure) const {
    using Why = Follower::Departure::Why;
    TargetNames names(session_.symbolizer(), lastRun().state());
    switch (departure.why) {
      case Why::NoSuchThread:
        return "there is no such thread yet";
      case Why::Gone:
        return names.thread(departure.thread) + "  has ended";
      case Why::Waits:
        return words(*lastRun().pending(departure.thread)) + ", which has to wait";
      case Why::NoSuchChoice:
        return words(*lastRun().pending(departure.thread)) +
               (lastRun().pending(departure.thread)->choices() > 1 ? ", which has fewer choices"
                                                                   : ", where there is nothing to choose");
      case Why::Different:
        break;
    }
    return words(*lastRun().pending(departure.thread));
  }

  /// As the user wants a report to be set.
  TextSettings settings() const {
    TextSettings settings;
    settings.quiet = options_.quiet;
    settings.style = styleFor(options_);
    settings.output = options_.output;
    return settings;
  }

 private:
  const Options& options_;
  Session session_;
  Limits limits_;
  Follower follower_;
  Execution beginning_;
  Shown shown_;
  Explorer explorer_;
};

void printOutput(const std::string& output) {
  if (output.empty()) return;
  fmt::print("  Output of the program in this run\n");
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) fmt::print("    | {}\n", line);
}

ExitCode list(const Options& options) {
  BugStore store(options.outputDirectory);
  std::vector<SavedAs> all = store.all();
  if (all.empty()) fmt::print("No bug is saved in {}.\n", store.directory().string());
  for (const SavedAs& saved : all) {
    try {
      SavedBug bug = readSavedBug(saved.file);
      std::string called = shellWord(bug.called);
      for (const std::string& argument : bug.arguments) called += ' ' + shellWord(argument);
      fmt::print("{:>4}  {:<9}  {}   [{}]\n", saved.number, bug.kind,
                 bug.sentence.substr(0, bug.sentence.find('\n')), called);
    } catch (const SavedBugError& error) {
      fmt::print("{:>4}  cannot be read: {}\n", saved.number, error.what());
    }
  }
  return ExitCode::NoBug;
}

/// A saved bug while it is replayed.
class SavedRun {
 public:
  SavedRun(const SavedAs& saved, SavedBug bug, const Options& options)
      : saved_(saved),
        bug_(std::move(bug)),
        options_(optionsOf(bug_, options)),
        replay_(options_, turns(), [this](const auto&... what) { return fits(what...); }),
        modules_(replay_.session().target().templateProcess()),
        isSameBuild_(ElfFile(replay_.session().program()).buildId() == bug_.buildId) {}

  /// `use`: what is done with the bug instead of printing it.
  ExitCode run(const UseOfBug& use = nullptr) {
    if (!isSameBuild_) note("the program has been built anew since this bug was saved");
    if (!isInItsDirectory()) note(bug_.directory + ", where it ran, cannot be entered; it runs here");
    replay_.meet(bug_.threads);
    replay_.run();
    if (replay_.wasInterrupted()) throw Interrupted{};
    std::size_t steps = replay_.lastRun().events().size();
    if (const Finding* found = shownBug()) return use ? hand(*found, use) : tellOf(*found);
    if (replay_.follower().departure() || steps < bug_.schedule.size()) return tellOfDeparture(steps);
    if (options_.quiet) return ExitCode::NoBug;
    fmt::print(
        "The bug did not show: the program followed all {} steps of the schedule, and nothing was wrong.\n",
        steps);
    printOutput(replay_.soFar().rehearsal.output);
    return ExitCode::NoBug;
  }

 private:
  std::vector<Follower::Turn> turns() const {
    std::vector<Follower::Turn> turns;
    for (const SavedStep& step : bug_.schedule) turns.push_back({step.thread, step.patience, step.choice});
    return turns;
  }

  bool isInItsDirectory() const {
    std::error_code unknown;
    return bug_.directory.empty() || std::filesystem::equivalent(bug_.directory, ".", unknown);
  }

  /// A program that was built anew has other addresses; names stay.
  bool fits(std::size_t step, const Execution& run, const Transition& next) const {
    const SavedStep& saved = bug_.schedule[step];
    if (saved.operation != next.visible().name) return false;
    std::string object = namedObject(next, TargetNames(replay_.session().symbolizer(), run.state()));
    if (!saved.object.empty() && !object.empty() && saved.object != object) return false;
    std::string own = std::filesystem::path(bug_.program).filename().string() + "+";
    return !isSameBuild_ || !saved.site.starts_with(own) || saved.site == modules_.name(next.visible().site);
  }

  /// Others that belong to the run come before the one that was saved.
  bool belongsToRun(const Finding& finding) const {
    std::size_t steps = finding.events.size();
    if (steps == 0 || steps >= bug_.schedule.size()) return false;
    return bug_.schedule[steps - 1].last || bug_.schedule[steps - 1].doomed;
  }

  bool isSaved(const Finding& finding) const {
    if (word(finding.kind) != bug_.kind) return false;
    return !isSameBuild_ || finding.key([&](CodeAddress place) { return modules_.name(place); }) == bug_.key;
  }

  /// The bug that was saved, else another one that came instead.
  const Finding* shownBug() const {
    const Finding* shown = nullptr;
    for (const Finding& finding : replay_.findings()) {
      if (belongsToRun(finding)) continue;
      if (isSaved(finding)) return &finding;
      if (shown == nullptr) shown = &finding;
    }
    return shown;
  }

  ExitCode hand(Finding found, const UseOfBug& use) {
    if (!isSaved(found)) note("another bug shows than the one that was saved");
    replay_.rehearse(found);
    return use(replay_.session(), found);
  }

  ExitCode tellOf(Finding found) {
    if (!isSaved(found)) note("another bug shows than the one that was saved");
    found.trace = bug_.run;
    TextSettings settings = replay_.settings();
    if (isSaved(found) && found.events.size() == bug_.schedule.size()) {
      found.noReturn = bug_.noReturn;
      found.switchesWhenFound = bug_.switchesWhenFound;
      if (saved_.number != 0) settings.save = [this](const Finding&) { return saved_; };
    }
    replay_.print(std::move(found), settings);
    return ExitCode::Bug;
  }

  ExitCode tellOfDeparture(std::size_t steps) {
    if (options_.quiet) return ExitCode::Departed;
    const SavedStep& step = bug_.schedule[steps];
    const auto& departure = replay_.follower().departure();
    std::string before = fmt::format("{}  {}{}", bug_.threads[step.thread].name, step.call,
                                     step.place.empty() ? "" : " at " + step.place);
    fmt::print("The program does something else than in the saved run.\n  step {} was  {}\n  now{:>{}}  {}\n",
               steps + 1, before, "it is", std::to_string(steps + 1).size() + 6,
               departure ? replay_.words(*departure) : "the end: nobody can go on");
    note("whether the bug is still there, a new check will tell: mcmini " + shellWord(bug_.called));
    return ExitCode::Departed;
  }

  void note(const std::string& words) const {
    std::fflush(stdout);
    if (!options_.quiet) fmt::print(stderr, "mcmini: note: {}.\n", words);
  }

  SavedAs saved_;
  SavedBug bug_;
  Options options_;
  mutable Replay replay_;
  ModuleMap modules_;
  bool isSameBuild_;
};

/// A schedule that the user gives.
class GivenRun {
 public:
  explicit GivenRun(const Options& options)
      : schedule_(*options.schedule), replay_(options, turns(), [](auto&&...) { return true; }) {}

  ExitCode run() {
    replay_.run();
    if (replay_.wasInterrupted()) throw Interrupted{};
    for (const Finding& finding : replay_.findings()) replay_.print(finding, replay_.settings());
    if (!replay_.findings().empty()) return ExitCode::Bug;
    Finding run = replay_.soFar();
    printSteps(run);
    std::size_t steps = run.events.size();
    const auto& departure = replay_.follower().departure();
    bool stopped = departure || steps < schedule_.size();
    if (stopped)
      fmt::print("Step {} is the turn of thread {}, which cannot move: {}.\n", steps + 1,
                 schedule_[steps].thread,
                 departure ? replay_.words(*departure) : "the program has come to its end");
    printPending(stopped);
    printOutput(run.rehearsal.output);
    return stopped ? ExitCode::Departed : ExitCode::NoBug;
  }

 private:
  std::vector<Follower::Turn> turns() const {
    std::vector<Follower::Turn> turns;
    for (const ScheduledStep& step : schedule_) turns.push_back({step.thread, std::nullopt, step.choice});
    return turns;
  }

  void printSteps(const Finding& run) {
    FindingFacts facts(run, replay_.session().symbolizer());
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      StepFact step = facts.step(i);
      std::string call = step.call + (step.result.empty() ? "" : " = " + step.result);
      std::string place = placeText(step.place);
      std::string line = fmt::format("{:>6}  {:<12}  {:<40} {}", i + 1, step.name, call, place);
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
  }

  /// What each thread would do next.
  void printPending(bool stopped) {
    const Execution& run = replay_.lastRun();
    bool any = false;
    for (std::uint32_t i = 0; i < run.state().threadCount(); ++i) {
      const TransitionPtr& next = run.pending(ThreadId{i});
      if (!next) continue;
      bool couldMove = canMove(*next, run.state());
      if (stopped && !couldMove) continue;
      if (!any) fmt::print("{}\n", stopped ? "Who could have moved instead" : "What comes next");
      any = true;
      fmt::print("  thread {}  {}{}\n", replay_.follower().threads().number(ThreadId{i}),
                 replay_.words(*next), couldMove ? "" : "  (waits)");
    }
    if (!any) fmt::print("The program has come to its end.\n");
  }

  std::vector<ScheduledStep> schedule_;
  Replay replay_;
};

}  // namespace

ExitCode replay(const Options& options) {
  if (options.schedule) return GivenRun(options).run();
  if (options.arguments.empty()) return list(options);
  if (options.arguments.size() > 1)
    throw UsageError(
        "one bug at a time: mcmini replay FILE|N. The program and its arguments are in the file.");
  return reproduce(options, options.arguments.front(), nullptr);
}

ExitCode reproduce(const Options& options, const std::string& named, const UseOfBug& use) {
  const SavedAs saved = findSaved(options, named);
  SavedBug bug = readSavedBug(saved.file);
  return SavedRun(saved, std::move(bug), options).run(use);
}

}  // namespace mcmini
