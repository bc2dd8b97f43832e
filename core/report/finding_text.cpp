#include "core/report/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sstream>

#include "core/report/target_names.hpp"

namespace mcmini {

namespace {

constexpr std::size_t kStepsShown = 400;    // of a longer schedule the first and the last half
constexpr std::size_t kOutputShown = 4000;  // characters, likewise
constexpr std::size_t kFramesShown = 12;

class Writer {
 public:
  Writer(const Finding& finding, const Symbolizer& symbolizer)
      : finding_(finding), symbolizer_(symbolizer), names_(symbolizer, finding.state) {
    for (const TransitionPtr& t : finding.blocked) widen(t->thread());
    for (const TransitionPtr& t : finding.spinning) widen(t->thread());
    for (const Event& event : finding.events) widen(event.transition->thread());
  }

  std::string write() {
    headline();
    if (finding_.kind == Finding::Kind::Deadlock || finding_.kind == Finding::Kind::Livelock) {
      spinners();
      waiters();
      cycle();
    }
    if (finding_.kind == Finding::Kind::Crash || finding_.kind == Finding::Kind::Stuck ||
        finding_.kind == Finding::Kind::Assertion)
      stack();
    schedule();
    tips();
    output();
    return text_;
  }

 private:
  void line(const std::string& words) { text_ += words + '\n'; }

  void widen(ThreadId thread) { width_ = std::max(width_, names_.thread(thread).size()); }

  std::string padded(ThreadId thread) const { return fmt::format("{:<{}}", names_.thread(thread), width_); }

  void headline() {
    std::string steps =
        finding_.events.size() == 1 ? "1 step" : fmt::format("{} steps", finding_.events.size());
    line(fmt::format("{:<9} {}   [run {}, {}]", title(), sentence(), finding_.trace, steps));
  }

  std::string title() const {
    std::string title(word(finding_.kind));
    std::ranges::transform(title, title.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
    return title;
  }

  std::string sentence() const {
    const Stop& stop = finding_.rehearsal.stop;
    std::string who = names_.thread(stop.thread);
    switch (finding_.kind) {
      case Finding::Kind::Deadlock: {
        std::size_t n = finding_.deadlocked.size();
        if (auto self = selfDeadlocked()) return names_.thread(*self) + " waits for itself: a self-deadlock";
        return n == 1 ? names_.thread(finding_.deadlocked.front()) + " waits for ever"
                      : fmt::format("{} threads wait for ever", n);
      }
      case Finding::Kind::Livelock: {
        std::size_t n = finding_.spinning.size();
        return n == 1 ? names_.thread(finding_.spinning.front()->thread()) +
                            " tries again and again, for ever in vain"
                      : fmt::format("{} threads try again and again, for ever in vain", n);
      }
      case Finding::Kind::Assertion:
        return fmt::format("{}: {}", who, stop.text);
      case Finding::Kind::Crash:
        return fmt::format("{} crashed with SIG{} ({}){}", who, sigabbrev_np(stop.signal),
                           strsignal(stop.signal), place(stop.stack, " at "));
      case Finding::Kind::Exit:
        return fmt::format("the program ended with status {}", stop.status);
      case Finding::Kind::Misuse: {
        if (finding_.leftBehind) return neverUndone(*finding_.leftBehind);
        const Event& last = finding_.events.back();
        Stack at = stackOfPending(last.transition->thread());
        return last.transition->misuse(finding_.state, names_).value_or("") + place(at, ", at ");
      }
      case Finding::Kind::Stuck:
        return fmt::format(
            "{} did not reach another operation in time{}. Is it waiting for another thread in a loop?", who,
            place(stop.stack, "; it is at "));
    }
    return "";
  }

  /// A thread that waits for what it has itself.
  std::optional<ThreadId> selfDeadlocked() const {
    for (const TransitionPtr& t : finding_.blocked)
      if (t->blockedBy(finding_.state) == std::vector{t->thread()}) return t->thread();
    return std::nullopt;
  }

  std::string neverUndone(const LeftBehind& left) const {
    const Transition& origin = *finding_.events[left.event].transition;
    return fmt::format("{} is never destroyed; {} called {} at {}", names_.object(left.object),
                       names_.thread(origin.thread()), origin.describe(names_),
                       placeOfStep(left.event, origin));
  }

  std::string place(const Stack& stack, const char* before, CodeAddress site = 0) const {
    std::string place = placeOf(stack, site, symbolizer_);
    return place.empty() ? "" : before + place;
  }

  Stack stackOfPending(ThreadId thread) const {
    auto at = finding_.rehearsal.pending.find(thread);
    return at == finding_.rehearsal.pending.end() ? Stack{} : at->second;
  }

  /// Where the thread last did something to the object that it holds now.
  std::string whereTaken(ThreadId thread, ObjectId object) const {
    std::size_t performed = 0;
    std::string place;
    for (const Event& event : finding_.events) {
      if (event.doomed) continue;
      const Transition& t = *event.transition;
      if (t.thread() == thread && std::ranges::count(t.objects(), object) > 0)
        place = placeOfStep(performed, t);
      ++performed;
    }
    return place.empty() ? "" : " (" + place + ")";
  }

  std::string placeOfStep(std::size_t performed, const Transition& t) const {
    Stack stack = performed < finding_.rehearsal.taken.size() ? finding_.rehearsal.taken[performed] : Stack{};
    return placeOf(stack, t.visible().site, symbolizer_);
  }

  std::string held(ThreadId thread) const {
    std::string list;
    finding_.state.forEachObject([&](ObjectId object, const ObjectState& state) {
      if (std::ranges::count(state.holders(), thread) > 0)
        list += (list.empty() ? "holds " : ", ") + names_.object(object) + whereTaken(thread, object);
    });
    return list;
  }

  void waiters() {
    for (const TransitionPtr& t : finding_.blocked) {
      std::string holds = held(t->thread());
      std::string by;
      for (ThreadId other : t->blockedBy(finding_.state))
        by += (by.empty() ? "" : ", ") + (other == t->thread() ? "itself" : names_.thread(other));
      line(fmt::format("  {}  {}{}waits in {}{}{}", padded(t->thread()), holds, holds.empty() ? "" : "; ",
                       t->describeWait(names_), place(stackOfPending(t->thread()), " at ", t->visible().site),
                       by.empty() ? "" : ", for " + by));
    }
  }

  void spinners() {
    for (const TransitionPtr& t : finding_.spinning) {
      std::string holds = held(t->thread());
      std::string what = t->involuntary() ? "goes round in a loop" : "repeats " + t->describe(names_);
      line(fmt::format("  {}  {}{}{}{}", padded(t->thread()), holds, holds.empty() ? "" : "; ", what,
                       place(stackOfPending(t->thread()), " at ", t->visible().site)));
    }
  }

  /// Follows who waits for whom until somebody comes up again.
  void cycle() {
    for (const TransitionPtr& start : finding_.blocked) {
      std::vector<ThreadId> way{start->thread()};
      while (true) {
        auto next = waitsFor(way.back());
        if (!next) break;
        bool seen = std::ranges::count(way, *next) > 0;
        way.push_back(*next);
        if (!seen) continue;
        std::string words;
        for (auto thread = std::ranges::find(way, *next); thread != way.end(); ++thread)
          words += (words.empty() ? "" : " -> ") + names_.thread(*thread);
        return line("  Cycle: " + words);
      }
    }
  }

  std::optional<ThreadId> waitsFor(ThreadId thread) const {
    for (const TransitionPtr& t : finding_.blocked) {
      if (t->thread() != thread) continue;
      auto by = t->blockedBy(finding_.state);
      if (by.size() == 1) return by.front();
    }
    return std::nullopt;
  }

  void stack() {
    std::size_t shown = 0;
    for (CodeAddress pc : finding_.rehearsal.stop.stack)
      for (const Location& frame : symbolizer_.frames(pc)) {
        if (frame.module.find("libmcmini") != std::string::npos) continue;
        if (frame.function.empty() && frame.line == 0) continue;
        if (++shown > kFramesShown) return;
        std::string where = frame.line > 0 ? " at " + shortPlace(frame)
                                           : " (" + frame.module.substr(frame.module.rfind('/') + 1) + ")";
        line("    in " + (frame.function.empty() ? "?" : frame.function) + where);
      }
  }

  void schedule() {
    line("  Schedule");
    std::size_t performed = 0;
    std::size_t total = finding_.events.size();
    for (std::size_t i = 0; i < total; ++i) {
      const Event& event = finding_.events[i];
      std::size_t at = event.doomed ? performed : performed++;
      if (total > kStepsShown && i == kStepsShown / 2)
        line(fmt::format("        ... {} steps ...", total - kStepsShown));
      if (total > kStepsShown && i >= kStepsShown / 2 && i < total - kStepsShown / 2) continue;
      const Transition& t = *event.transition;
      std::string place = event.doomed ? placeOf(stackOfPending(t.thread()), t.visible().site, symbolizer_)
                                       : placeOfStep(at, t);
      bool offence = event.doomed && i + 1 == total;
      if (event.doomed && !offence) continue;
      bool origin = finding_.leftBehind && finding_.leftBehind->event == i;
      step(fmt::format("{:>6}", i + 1), t, t.describe(names_), place, event.result,
           offence || origin ? "  <- here" : "");
    }
    for (const TransitionPtr& t : finding_.blocked)
      if (finding_.stop.kind == Stop::Kind::Waiting || finding_.kind == Finding::Kind::Exit)
        step("     -", *t, t->describeWait(names_),
             placeOf(stackOfPending(t->thread()), t->visible().site, symbolizer_), 0, "  (waits)");
  }

  void step(const std::string& number, const Transition& t, std::string call, const std::string& place,
            Result result, const char* mark) {
    std::string meaning = t.describeResult(result);
    bool isSentence = meaning.find(' ') != std::string::npos;
    if (!meaning.empty() && !isSentence) call += " = " + meaning;
    text_ += fmt::format("{}  {}  {:<40} {}{}", number, padded(t.thread()), call, place, mark);
    if (isSentence) text_ += "  (" + meaning + ")";
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }

  /// What led here and could have been expected; each piece of advice once.
  void tips() {
    std::vector<std::string> given;
    for (const Event& event : finding_.events) {
      std::string tip = event.doomed ? "" : event.transition->tip(event.result);
      if (tip.empty() || std::ranges::count(given, tip) > 0) continue;
      line("  Tip: " + tip);
      given.push_back(tip);
    }
  }

  void output() {
    std::string printed = finding_.rehearsal.output;
    if (printed.empty()) return;
    if (printed.size() > kOutputShown)
      printed = printed.substr(0, kOutputShown / 2) + "\n... " +
                std::to_string(printed.size() - kOutputShown) + " characters ...\n" +
                printed.substr(printed.size() - kOutputShown / 2);
    line("  Output of the program in this run");
    std::istringstream lines(printed);
    for (std::string words; std::getline(lines, words);) line("    | " + words);
  }

  const Finding& finding_;
  const Symbolizer& symbolizer_;
  TargetNames names_;
  std::size_t width_ = 4;
  std::string text_;
};

}  // namespace

std::string placeOf(const Stack& stack, CodeAddress site, const Symbolizer& symbolizer) {
  Location location;
  // What lies between the call and the announcement is a wrapper's, maybe one of a plugin.
  auto call = std::ranges::find_if(stack, [&](CodeAddress pc) { return pc == site || pc + 1 == site; });
  if (!stack.empty())
    location = symbolizer.userCode({call == stack.end() ? stack.begin() : call, stack.end()});
  else if (site != 0)
    location = symbolizer.locate(site - 1);
  return location.line == 0 && location.function.empty() ? "" : shortPlace(location);
}

std::string textOf(const Finding& finding, const Symbolizer& symbolizer) {
  return Writer(finding, symbolizer).write();
}

}  // namespace mcmini
