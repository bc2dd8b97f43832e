#include "core/report/finding_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "core/report/race_facts.hpp"

namespace mcmini {

namespace {

/// Real-time signals have no names.
std::string nameOf(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

/// Of the kind that a program's own mistake brings about, and hardly anybody sends?
bool isFault(int signal) {
  constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  return std::ranges::count(kFaults, signal) > 0;
}

constexpr std::size_t kFramesShown = 12;
constexpr std::size_t kRepeatsShown = 3;  // of an endless recursion
constexpr std::size_t kNamed = 3;         // objects in a tip

std::string before(const char* word, const Location& place) {
  std::string text = placeText(place);
  return text.empty() ? "" : word + text;
}

/// "x > 0 at /home/me/t.c:12 in f" without the directory.
std::string withoutDirectory(std::string text) {
  std::size_t at = text.rfind(" at ");
  if (at == std::string::npos) return text;
  std::size_t begin = at + 4;
  std::size_t slash = text.rfind('/', text.rfind(':'));
  if (slash != std::string::npos && slash >= begin) text.erase(begin, slash + 1 - begin);
  return text;
}

bool endsWith(const std::vector<Location>& frames, const Location& frame, std::size_t times) {
  auto isSame = [&](const Location& other) {
    return other.function == frame.function && other.line == frame.line;
  };
  return frames.size() >= times &&
         std::ranges::all_of(frames.end() - static_cast<std::ptrdiff_t>(times), frames.end(), isSame);
}

std::string within(const char* open, const Location& place) {
  std::string text = placeText(place);
  return text.empty() ? "" : open + text + ")";
}

}  // namespace

FindingFacts::FindingFacts(const Finding& finding, const Symbolizer& symbolizer)
    : finding_(finding), symbolizer_(symbolizer), names_(symbolizer, finding.state, finding.rehearsal) {
  std::size_t performed = 0;
  for (const Event& event : finding.events) {
    stepOf_.push_back(performed);
    if (!event.doomed) ++performed;
  }
}

std::string FindingFacts::title() const {
  if (finding_.kind == Finding::Kind::Race) return "DATA RACE";
  std::string title(word(finding_.kind));
  std::ranges::transform(title, title.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
  return title;
}

std::string FindingFacts::sentence() const {
  const Stop& stop = finding_.rehearsal.stop;
  std::string who = names_.thread(stop.thread);
  switch (finding_.kind) {
    case Finding::Kind::Deadlock:
      return deadlockSentence();
    case Finding::Kind::Livelock: {
      std::size_t n = finding_.spinning.size();
      return n == 1 ? names_.thread(finding_.spinning.front()->thread()) +
                          " tries again and again, for ever in vain"
                    : fmt::format("{} threads try again and again, for ever in vain", n);
    }
    case Finding::Kind::Race:
      return fmt::format("{} and {} use {} at once, nothing orders them",
                         names_.thread(finding_.race->first.thread),
                         names_.thread(finding_.race->second.thread), nameOfRacy(finding_, names_));
    case Finding::Kind::Assertion:
      return fmt::format("{}: {}", who, withoutDirectory(stop.text));
    case Finding::Kind::Crash:
      return fmt::format("{} {} {} ({}){}", who, isFault(stop.signal) ? "crashed with" : "was ended by",
                         nameOf(stop.signal), strsignal(stop.signal), before(" at ", place()));
    case Finding::Kind::Exit:
      return fmt::format("the program ended with status {}", stop.status);
    case Finding::Kind::Misuse: {
      if (finding_.leftBehind) return neverUndone(*finding_.leftBehind);
      const Event& last = finding_.events.back();
      return offence(*last.transition, finding_.state, names_).value_or("") + before(", at ", place());
    }
    case Finding::Kind::Stuck:
      return fmt::format(
          "{} did not reach another operation in time{}. Is it waiting for another thread in a loop?", who,
          before("; it is at ", place()));
  }
  return "";
}

std::string FindingFacts::deadlockSentence() const {
  if (auto self = selfDeadlocked()) return names_.thread(*self) + " waits for itself: a self-deadlock";
  std::vector<ThreadId> circle = cycle();
  if (circle.size() == 2)
    return names_.thread(circle[0]) + " and " + names_.thread(circle[1]) + " wait for each other";
  if (!circle.empty()) return fmt::format("{} threads wait for each other", circle.size());
  std::vector<ThreadId> roots = causes(finding_);
  return roots.size() == 1 ? names_.thread(roots.front()) + " waits for ever"
                           : fmt::format("{} threads wait for ever", roots.size());
}

Location FindingFacts::place() const {
  switch (finding_.kind) {
    case Finding::Kind::Race:
      return accessesOf(*this, symbolizer_).back().place;
    case Finding::Kind::Assertion:
    case Finding::Kind::Crash:
    case Finding::Kind::Stuck:
      return locationOf(finding_.rehearsal.stop.stack, 0, symbolizer_);
    case Finding::Kind::Misuse:
      if (finding_.leftBehind) return placeOfEvent(finding_.leftBehind->event);
      return locationOf(stackOfPending(finding_.events.back().transition->thread()), 0, symbolizer_);
    default:
      return {};
  }
}

/// A thread that waits for what it has itself.
std::optional<ThreadId> FindingFacts::selfDeadlocked() const {
  for (const TransitionPtr& t : finding_.blocked)
    if (t->blockedBy(finding_.state) == std::vector{t->thread()}) return t->thread();
  return std::nullopt;
}

std::string FindingFacts::neverUndone(const LeftBehind& left) const {
  const Transition& origin = *finding_.events[left.event].transition;
  return fmt::format("{} is never destroyed; {} called {} at {}", names_.object(left.object),
                     names_.thread(origin.thread()), origin.describe(names_),
                     placeText(placeOfEvent(left.event)));
}

const Stack& FindingFacts::stackOfPending(ThreadId thread) const {
  static const Stack unknown;
  auto at = finding_.rehearsal.pending.find(thread);
  return at == finding_.rehearsal.pending.end() ? unknown : at->second;
}

Location FindingFacts::placeOfPending(const Transition& transition) const {
  return locationOf(stackOfPending(transition.thread()), transition.visible().site, symbolizer_);
}

Location FindingFacts::placeOfEvent(std::size_t event) const {
  const Event& here = finding_.events[event];
  if (here.doomed) return placeOfPending(*here.transition);
  std::size_t step = stepOf_[event];
  const auto& taken = finding_.rehearsal.taken;
  return locationOf(step < taken.size() ? taken[step] : Stack{}, here.transition->visible().site,
                    symbolizer_);
}

Location FindingFacts::whereTaken(ThreadId thread, ObjectId object, std::size_t events) const {
  ModelState state = finding_.initial;
  std::optional<std::size_t> taken;
  bool held = false;
  for (std::size_t i = 0; i < events; ++i) {
    if (finding_.events[i].doomed) continue;
    const Transition& t = *finding_.events[i].transition;
    t.apply(state);
    if (std::ranges::count(t.objects(), object) == 0) continue;
    const ObjectState* now = state.find(object);
    bool holds = now != nullptr && std::ranges::count(now->holders(), thread) > 0;
    if (holds && !held) taken = i;
    held = holds;
  }
  return taken ? placeOfEvent(*taken) : Location{};
}

std::vector<Holder> FindingFacts::holdersOfMisused() const {
  std::vector<Holder> holders;
  if (finding_.kind != Finding::Kind::Misuse || finding_.leftBehind) return holders;
  for (ObjectId object : finding_.events.back().transition->objects())
    if (const ObjectState* state = finding_.state.find(object))
      for (ThreadId thread : state->holders())
        holders.push_back(
            {names_.thread(thread), {object, names_.object(object), whereTaken(thread, object)}});
  return holders;
}

std::vector<Holding> FindingFacts::heldBy(ThreadId thread) const {
  std::vector<Holding> holds;
  for (ObjectId object : finding_.state.heldBy(thread))
    holds.push_back({object, names_.object(object), whereTaken(thread, object)});
  return holds;
}

/// What the threads have for which the operation waits.
std::optional<ObjectId> FindingFacts::wantedBy(const Transition& transition) const {
  std::vector<ThreadId> by = transition.blockedBy(finding_.state);
  if (by.empty()) return std::nullopt;
  for (ObjectId object : transition.objects()) {
    const ObjectState* state = finding_.state.find(object);
    std::vector<ThreadId> holders = state == nullptr ? std::vector<ThreadId>{} : state->holders();
    if (std::ranges::all_of(by, [&](ThreadId t) { return std::ranges::count(holders, t) > 0; }))
      return object;
  }
  return std::nullopt;
}

HeldUp FindingFacts::heldUp(const Transition& transition, std::string call) const {
  ThreadId thread = transition.thread();
  std::optional<ObjectId> wanted = wantedBy(transition);
  return {thread,
          names_.thread(thread),
          heldBy(thread),
          std::move(call),
          placeOfPending(transition),
          transition.blockedBy(finding_.state),
          wanted ? names_.object(*wanted) : "",
          wanted && *wanted == transition.objects().front()};
}

const Transition* FindingFacts::waitOf(ThreadId thread) const {
  auto at =
      std::ranges::find_if(finding_.blocked, [&](const TransitionPtr& t) { return t->thread() == thread; });
  return at == finding_.blocked.end() ? nullptr : at->get();
}

std::vector<HeldUp> FindingFacts::waiting() const {
  std::vector<const Transition*> order;
  auto add = [&](const Transition* t) {
    if (t != nullptr && std::ranges::count(order, t) == 0) order.push_back(t);
  };
  for (ThreadId thread : cycle()) add(waitOf(thread));
  for (ThreadId thread : causes(finding_)) add(waitOf(thread));
  for (const TransitionPtr& t : finding_.blocked) add(t.get());
  std::vector<HeldUp> threads;
  for (const Transition* t : order) threads.push_back(heldUp(*t, t->describeWait(names_)));
  return threads;
}

std::vector<HeldUp> FindingFacts::repeating() const {
  std::vector<HeldUp> threads;
  for (const TransitionPtr& t : finding_.spinning)
    threads.push_back(heldUp(*t, t->involuntary() ? "" : t->describe(names_)));
  return threads;
}

/// Follows who waits for whom until somebody comes up again.
std::vector<ThreadId> FindingFacts::cycle() const {
  for (const TransitionPtr& start : finding_.blocked) {
    std::vector<ThreadId> way{start->thread()};
    while (auto next = waitsFor(way.back())) {
      auto seen = std::ranges::find(way, *next);
      if (seen != way.end()) return {seen, way.end()};
      way.push_back(*next);
    }
  }
  return {};
}

std::optional<ThreadId> FindingFacts::waitsFor(ThreadId thread) const {
  const Transition* wait = waitOf(thread);
  auto by = wait == nullptr ? std::vector<ThreadId>{} : wait->blockedBy(finding_.state);
  return by.size() == 1 ? std::optional(by.front()) : std::nullopt;
}

std::vector<Location> FindingFacts::stack() const {
  return finding_.race ? std::vector<Location>{} : framesOf(finding_.rehearsal.stop.stack);
}

std::vector<Location> FindingFacts::framesOf(const Stack& stack) const {
  std::vector<Location> frames;
  for (CodeAddress pc : stack)
    for (const Location& frame : symbolizer_.frames(pc)) {
      if (frame.module.find("libmcmini") != std::string::npos) continue;
      if (frame.function.empty() && frame.line == 0) continue;
      if (endsWith(frames, frame, kRepeatsShown)) continue;
      if (frames.size() == kFramesShown) return frames;
      frames.push_back(frame);
    }
  // Who called main is of no interest.
  auto hasLine = [](const Location& frame) { return frame.line > 0; };
  if (std::ranges::any_of(frames, hasLine))
    while (!hasLine(frames.back())) frames.pop_back();
  return frames;
}

std::vector<std::size_t> FindingFacts::shownEvents() const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < finding_.events.size(); ++i)
    if (!finding_.events[i].doomed || i + 1 == finding_.events.size()) shown.push_back(i);
  return shown;
}

StepFact FindingFacts::step(std::size_t event) const {
  const Event& here = finding_.events[event];
  const Transition& t = *here.transition;
  bool isOrigin = finding_.leftBehind && finding_.leftBehind->event == event;
  if (finding_.race) isOrigin = event == finding_.race->first.event || event == finding_.race->second.event;
  return {event + 1,
          t.thread(),
          names_.thread(t.thread()),
          t.describe(names_),
          placeOfEvent(event),
          t.describeResult(here.result),
          here.doomed || isOrigin};
}

std::vector<StepFact> FindingFacts::waitingSteps() const {
  std::vector<StepFact> steps;
  bool isLivelock = finding_.kind == Finding::Kind::Livelock;
  bool goesOn = isLivelock || finding_.kind == Finding::Kind::Deadlock;
  for (const TransitionPtr& t : goesOn ? finding_.spinning : std::vector<TransitionPtr>{})
    steps.push_back({0, t->thread(), names_.thread(t->thread()), t->describe(names_), placeOfPending(*t), "",
                     isLivelock});
  if (finding_.race) return steps;
  if (finding_.stop.kind != Stop::Kind::Waiting && finding_.kind != Finding::Kind::Exit) return steps;
  for (const TransitionPtr& t : finding_.blocked)
    steps.push_back({0, t->thread(), names_.thread(t->thread()), t->describeWait(names_), placeOfPending(*t),
                     "", std::ranges::count(finding_.deadlocked, t->thread()) > 0});
  return steps;
}

std::vector<std::string> FindingFacts::tips() const {
  std::vector<std::string> tips;
  auto add = [&](const std::string& tip) {
    if (!tip.empty() && std::ranges::count(tips, tip) == 0) tips.push_back(tip);
  };
  for (const Event& event : finding_.events)
    if (!event.doomed) add(event.transition->tip(event.result));
  for (const LostWakeup& lost : lostWakeups(finding_)) add(lostWakeup(lost));
  add(lockOrder());
  if (finding_.race) add(adviceOnRace(finding_, nameOfRacy(finding_, names_)));
  return tips;
}

std::string FindingFacts::lostWakeup(const LostWakeup& lost) const {
  StepFact early = step(lost.event);
  return fmt::format(
      "nobody was waiting when {} called {} at step {}{}; {} came too late and waits for another one",
      early.name, early.call, early.number, within(" (", early.place), names_.thread(lost.waiter));
}

/// A circle in which each has what the one before it wants.
std::string FindingFacts::lockOrder() const {
  std::vector<ThreadId> circle = finding_.kind == Finding::Kind::Deadlock ? cycle() : std::vector<ThreadId>{};
  if (circle.size() < 2) return "";
  std::vector<std::string> taken;
  for (ThreadId thread : circle) {
    const Transition* wait = waitOf(thread);
    std::optional<ObjectId> wanted = wait == nullptr ? std::nullopt : wantedBy(*wait);
    if (!wanted || finding_.state.heldBy(thread).empty()) return "";
    taken.push_back(names_.object(*wanted));
  }
  std::ranges::sort(taken);
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  if (taken.size() < 2) return "";
  std::string last = taken.back();
  taken.pop_back();
  if (taken.size() > kNamed) {
    last = fmt::format("{} more", taken.size() - kNamed + 1);
    taken.resize(kNamed);
  }
  return fmt::format(
      "{} and {} are taken in different orders; if all threads take them in the same order, "
      "there is no cycle",
      fmt::join(taken, ", "), last);
}

}  // namespace mcmini
