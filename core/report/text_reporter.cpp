#include "core/report/text_reporter.hpp"

#include <fmt/format.h>

#include "core/report/finding_text.hpp"
#include "core/report/target_names.hpp"

namespace mcmini {

namespace {

std::string plural(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

const char* whyItStopped(Cut cut) {
  switch (cut) {
    case Cut::Traces:
      return "stopped by --max-traces";
    case Cut::Time:
      return "stopped by --time";
    case Cut::FirstBug:
      return "stopped at the first bug, as --first says";
    case Cut::Interrupted:
      return "interrupted";
    case Cut::Stuck:
      return "stopped, because run after run gets stuck";
    case Cut::None:
      return "";
  }
  return "";
}

std::string coverage(const Summary& summary, const Limits& limits, const std::string& loopPlace) {
  if (summary.cut != Cut::None) return std::string("Not complete: ") + whyItStopped(summary.cut) + ".";
  if (summary.strayed)
    return "Not complete: threads tell each other things out of sight (plain memory, atomic variables), so "
           "that some\n"
           "orders could not be followed.";
  if (summary.stuckSeen)
    return "Not complete: what a thread that got stuck would do after that is not known.";
  if (summary.threadDepthMet && summary.runDepthMet)
    return fmt::format("Complete for at most {} per thread and {} in a run.",
                       plural(limits.threadDepth, "operation"), plural(limits.runDepth, "operation"));
  if (summary.threadDepthMet)
    return fmt::format("Complete for at most {} per thread.", plural(limits.threadDepth, "operation"));
  if (summary.runDepthMet)
    return fmt::format("Bounded: runs were cut after {} (--max-depth).",
                       plural(limits.runDepth, "operation"));
  if (summary.cutLoop != 0)
    return fmt::format("Bounded: the loop at {} was followed for {} only (--max-repeats).", loopPlace,
                       plural(limits.repeats + 1, "round"));
  if (summary.interrupted)
    return "Complete for the order of operations. Some threads work for long, or wait for memory to change: "
           "that is not\n"
           "watched.";
  return "Complete: every schedule of this program was considered.";
}

const char* completeness(const Summary& summary) {
  if (summary.cut != Cut::None || summary.stuckSeen || summary.strayed) return "no";
  return summary.threadDepthMet || summary.runDepthMet || summary.cutLoop != 0 ? "bounded" : "yes";
}

}  // namespace

void TextReporter::onFinding(const Finding& finding) {
  (void)settings_.save(finding);
  if (settings_.quiet) return;
  fmt::print(out_, "{}\n", textOf(finding, symbolizer_));
  std::fflush(out_);
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
  if (settings_.quiet || !said_.insert(sentence).second) return;
  fmt::print(err_, "mcmini: warning: {}\n", sentence);
}

void TextReporter::conclude(const Summary& summary, const Limits& limits) {
  if (settings_.quiet) return;
  std::string bugs = summary.bugs == 0 ? "No bug" : plural(summary.bugs, "bug");
  fmt::print(out_, "{} in {}. {}\n", bugs, plural(summary.traces, "run"),
             coverage(summary, limits, placeOf({}, summary.cutLoop, symbolizer_)));
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
         ".\n        Usual causes: time, random numbers, input, uninitialised memory, other processes.";
}

std::string resultLine(const Summary& summary, double seconds, int exitCode) {
  return fmt::format(
      "RESULT verdict={} bugs={} traces={} transitions={} blocked={} complete={} time={:.2f} exit={}",
      summary.verdict ? word(*summary.verdict) : "ok", summary.bugs, summary.traces, summary.transitions,
      summary.blocked, completeness(summary), seconds, exitCode);
}

}  // namespace mcmini
