#include "core/report/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace mcmini {

namespace {

constexpr std::size_t kStepsShown = 400;    // of a longer schedule the first and the last half
constexpr std::size_t kOutputShown = 4000;  // characters, likewise

class Writer {
 public:
  Writer(const Finding& finding, const Symbolizer& symbolizer)
      : finding_(finding), facts_(finding, symbolizer) {
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
    for (const std::string& tip : facts_.tips()) line("  Tip: " + tip);
    output();
    return text_;
  }

 private:
  void line(const std::string& words) { text_ += words + '\n'; }

  void widen(ThreadId thread) { width_ = std::max(width_, facts_.names().thread(thread).size()); }

  std::string padded(const std::string& name) const { return fmt::format("{:<{}}", name, width_); }

  void headline() {
    std::string steps =
        finding_.events.size() == 1 ? "1 step" : fmt::format("{} steps", finding_.events.size());
    line(fmt::format("{:<9} {}   [run {}, {}]", facts_.title(), facts_.sentence(), finding_.trace, steps));
  }

  static std::string place(const Location& location, const char* before, const char* after = "") {
    std::string place = placeText(location);
    return place.empty() ? "" : before + place + after;
  }

  static std::string held(const HeldUp& one) {
    std::string list;
    for (const Holding& holding : one.holds)
      list += (list.empty() ? "holds " : ", ") + holding.name + place(holding.taken, " (", ")");
    return list.empty() ? "" : list + "; ";
  }

  void waiters() {
    for (const HeldUp& one : facts_.waiting()) {
      std::string by;
      for (ThreadId other : one.waitsFor)
        by += (by.empty() ? "" : ", ") + (other == one.thread ? "itself" : facts_.names().thread(other));
      line(fmt::format("  {}  {}waits in {}{}{}", padded(one.name), held(one), one.call,
                       place(one.place, " at "), by.empty() ? "" : ", for " + by));
    }
  }

  void spinners() {
    for (const HeldUp& one : facts_.repeating())
      line(fmt::format("  {}  {}repeats {}{}", padded(one.name), held(one), one.call,
                       place(one.place, " at ")));
  }

  void cycle() {
    std::vector<ThreadId> threads = facts_.cycle();
    if (threads.empty()) return;
    threads.push_back(threads.front());
    std::string words;
    for (ThreadId thread : threads) words += (words.empty() ? "" : " -> ") + facts_.names().thread(thread);
    line("  Cycle: " + words);
  }

  void stack() {
    for (const Location& frame : facts_.stack()) {
      std::string where = frame.line > 0 ? " at " + shortPlace(frame)
                                         : " (" + frame.module.substr(frame.module.rfind('/') + 1) + ")";
      line("    in " + (frame.function.empty() ? "?" : frame.function) + where);
    }
  }

  void schedule() {
    line("  Schedule");
    std::size_t total = finding_.events.size();
    for (std::size_t i : facts_.shownEvents()) {
      if (total > kStepsShown && i == kStepsShown / 2)
        line(fmt::format("        ... {} steps ...", total - kStepsShown));
      if (total > kStepsShown && i >= kStepsShown / 2 && i < total - kStepsShown / 2) continue;
      StepFact fact = facts_.step(i);
      step(fmt::format("{:>6}", fact.number), fact, fact.isFault ? "  <- here" : "");
    }
    for (const StepFact& fact : facts_.waitingSteps()) step("     -", fact, "  (waits)");
  }

  void step(const std::string& number, const StepFact& fact, const char* mark) {
    bool isSentence = fact.result.find(' ') != std::string::npos;
    std::string call = fact.call;
    if (!fact.result.empty() && !isSentence) call += " = " + fact.result;
    text_ += fmt::format("{}  {}  {:<40} {}{}", number, padded(fact.name), call, placeText(fact.place), mark);
    if (isSentence) text_ += "  (" + fact.result + ")";
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }

  void output() {
    std::string printed = facts_.output();
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
  FindingFacts facts_;
  std::size_t width_ = 4;
  std::string text_;
};

}  // namespace

std::string textOf(const Finding& finding, const Symbolizer& symbolizer) {
  return Writer(finding, symbolizer).write();
}

}  // namespace mcmini
