#include "core/report/text_reporter.hpp"

#include <fmt/format.h>

#include "core/report/conclusion.hpp"
#include "core/report/finding_text.hpp"
#include "core/report/target_names.hpp"

namespace mcmini {

void TextReporter::onFinding(const Finding& finding) {
  std::optional<SavedAs> saved = settings_.save(finding);
  if (settings_.quiet) return;
  bool showsOutput = settings_.output != OutputShown::None;
  lastShown_ = finding.trace;
  fmt::print(out_, "{}\n", textOf(finding, symbolizer_, {settings_.style, showsOutput, saved}));
  std::fflush(out_);
}

/// What a failing run printed is shown with what is wrong with it.
void TextReporter::onRunEnd(const Execution& /*run*/, Ending /*ending*/, const Summary& soFar) {
  if (settings_.quiet || settings_.output != OutputShown::All) return;
  std::uint64_t number = soFar.traces + soFar.blocked;
  if (number == lastShown_) return;
  std::string output = settings_.outputOfRun();
  if (output.empty()) return;
  fmt::print(
      out_, "{}\n{}\n",
      painted(settings_.style, Paint::Strong, fmt::format("  Output of the program in run {}", number)),
      quoted(output, settings_.style));
}

void TextReporter::onThreadsLeft(const Execution& run, const std::vector<TransitionPtr>& waiting) {
  if (!said_.insert("threads left").second) return;
  TargetNames names(symbolizer_, run.state());
  std::string list;
  for (const TransitionPtr& t : waiting)
    list += fmt::format("{}{} (in {})", list.empty() ? "" : ", ", names.thread(t->thread()),
                        t->describeWait(names));
  warn("the process can end while threads are still waiting: " + list);
}

void TextReporter::onThreadsRunning(const Execution& run, const std::vector<ThreadId>& threads) {
  if (!said_.insert("threads running").second) return;
  TargetNames names(symbolizer_, run.state());
  std::string list;
  for (ThreadId thread : threads) list += (list.empty() ? "" : ", ") + names.thread(thread);
  bool one = threads.size() == 1;
  warn(fmt::format("{} can end the process while {} {} still running. Should it wait for {}?",
                   names.thread(run.mover()), list, one ? "is" : "are", one ? "it" : "them"));
}

void TextReporter::warn(const std::string& sentence) {
  if (!said_.insert(sentence).second) return;
  warnings_.push_back(sentence);
  if (settings_.quiet) return;
  fmt::print(err_, "mcmini: warning: {}\n", sentence);
}

std::string TextReporter::conclude(const Summary& summary, const Limits& limits,
                                   const Circumstances& circumstances) {
  std::string loop = placeOf({}, summary.cutLoop, symbolizer_);
  std::string text = conclusion(summary, limits, circumstances, loop);
  if (!settings_.quiet) fmt::print(out_, "{}\n", text);
  return text;
}

std::string TextReporter::explain(const Nondeterminism& difference, const ModelState& state) const {
  TargetNames names(symbolizer_, state);
  auto words = [&](const TransitionPtr& t) {
    if (!t) return std::string("something else");
    std::string place = placeOf({}, t->visible().site, symbolizer_);
    return names.thread(t->thread()) + ": " + t->describe(names) + (place.empty() ? "" : " at " + place);
  };
  std::string what = "the end of the run was not the same when it was repeated";
  if (difference.expected)
    what = fmt::format(
        "step {} was '{}', and on re-run {}", difference.step + 1, words(difference.expected),
        difference.actual ? "'" + words(difference.actual) + "'" : "the program did not get there");
  return "the program does not repeat itself: " + what +
         ".\n        Usual causes: time, random numbers, input, uninitialised memory, other processes.\n"
         "        See: mcmini help determinism";
}

std::string resultLine(const Summary& summary, double seconds, int exitCode) {
  return fmt::format(
      "RESULT verdict={} bugs={} traces={} transitions={} blocked={} complete={} time={:.2f} exit={}",
      summary.verdict ? word(*summary.verdict) : "ok", summary.bugs, summary.traces, summary.transitions,
      summary.blocked, completeness(summary), seconds, exitCode);
}

}  // namespace mcmini
