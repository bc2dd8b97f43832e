#include "core/report/conclusion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "core/report/plural.hpp"

namespace mcmini {

namespace {

constexpr double kMinute = 60;
constexpr double kHour = 3600;

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
      return "stopped because run after run gets stuck";
    case Cut::None:
      return "";
  }
  return "";
}

/// Did the search end for want of time, so that less to do would help?
bool wasTooLong(Cut cut) {
  return cut == Cut::Traces || cut == Cut::Time || cut == Cut::Interrupted;
}

/// As --time takes it.
std::string timeOption(double seconds) {
  if (seconds <= kMinute) return fmt::format("{}s", std::ceil(seconds / 10) * 10);
  return fmt::format("{}m", roundedUp(seconds / kMinute));
}

constexpr double kMargin = 1.5;  // estimates are rough

void adviseMore(std::vector<std::string>& advice, const Summary& summary, double seconds) {
  constexpr double kTooLittle = 0.02;  // of the search: the estimate would be worth nothing
  if (summary.done < kTooLittle) return;
  if (summary.cut == Cut::Time && seconds / summary.done <= kHour)
    advice.push_back("--time " + timeOption(seconds / summary.done * kMargin));
  if (summary.cut == Cut::Traces)
    advice.push_back(fmt::format("--max-traces {}",
                                 roundedUp(static_cast<double>(summary.traces) / summary.done * kMargin)));
}

/// A bound below what the threads do, so that it makes a difference; none for threads that do next to
/// nothing.
void adviseDepth(std::vector<std::string>& advice, const Summary& summary) {
  constexpr double kFew = 0.1;
  std::uint32_t depth = summary.done < kFew ? summary.deepestThread / 2 : summary.deepestThread * 2 / 3;
  if (depth >= 2) advice.push_back(fmt::format("--max-thread-depth {}", depth));
}

void adviseWakeups(std::vector<std::string>& advice, const Limits& limits) {
  const WakeupPolicy* policy = limits.policies.of("cond");
  if (policy == nullptr) return;
  if (std::uint32_t spurious = limits.policies.spuriousWakeups(*policy); spurious > 0)
    advice.push_back(fmt::format("--spurious-wakeups {}", spurious - 1));
  else if (!policy->orderMatters())
    advice.emplace_back("--policy cond=fifo");
}

/// "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::string next(const Summary& summary, const Limits& limits, const Circumstances& circumstances) {
  std::vector<std::string> advice;
  if (!circumstances.optimal) advice.emplace_back("--search optimal");
  adviseMore(advice, summary, circumstances.seconds);
  adviseDepth(advice, summary);
  if (circumstances.waitsForConditions) adviseWakeups(advice, limits);
  return advice.empty() ? "" : "\nNext: " + alternatives(advice) + ".";
}

std::string whatIsMissing(const Summary& summary, const Limits& limits, const Circumstances& circumstances) {
  std::string text = whyItStopped(summary.cut);
  if (!wasTooLong(summary.cut)) return text + ".";
  text += " after " + timeText(circumstances.seconds);
  if (std::string share = shareText(summary.done); !share.empty()) text += " at " + share + " (rough)";
  return text + "." + next(summary, limits, circumstances);
}

std::string strayed(const Circumstances& circumstances) {
  std::string text = "Not complete: some orders could not be followed.\n";
  if (circumstances.watched) return text + "Threads tell each other things out of sight (files, libraries).";
  return text +
         "Threads tell each other things out of sight (memory, atomic variables, files).\n"
         "Compile the program with mcmini-cc or mcmini-c++ to have its memory watched.";
}

std::string coverage(const Summary& summary, const Limits& limits, const Circumstances& circumstances,
                     const std::string& placeOfLoop) {
  if (summary.signalled)
    return "Not complete: handlers of signals run at a time that nobody chose.\n"
           "What they do at other times was not considered.";
  if (summary.strayed) return strayed(circumstances);
  if (summary.uncontrolled)
    return "Not complete: threads wait by calls that are not modelled.\n"
           "Who waits for whom there was not considered.";
  if (summary.endedUnseen)
    return "Not complete: the process ended out of sight.\n"
           "Before that (within a library, by exec or by daemon) other threads could have\n"
           "done more than was tried.";
  if (summary.inputLate)
    return "Not complete: standard input came too late.\n"
           "Every run had been given an empty one. Put it into a file: --stdin FILE.\n"
           "If the program needs none: </dev/null.";
  if (summary.stuckSeen) return "Not complete: what stuck threads would do is not known.";
  if (summary.runDepthMet)
    return fmt::format(
        "Bounded: runs are cut after {} (--max-depth).\n"
        "Orders that only matter to what comes later were not tried.\n"
        "Within --max-thread-depth all are.",
        plural(limits.runDepth, "operation"));
  if (summary.threadDepthMet)
    return fmt::format("Complete for at most {} per thread.", plural(limits.threadDepth, "operation"));
  if (summary.cutLoop != 0)
    return fmt::format("Bounded: the loop at {} was followed for {} only (--max-repeats).", placeOfLoop,
                       plural(limits.repeats + 1, "round"));
  if (summary.racesLeft)
    return "Bounded: there are data races.\nWhat comes of them was not followed" +
           std::string(limits.races.promote ? "; they are too many." : " (--no-promote).");
  if (summary.racesMeant)
    return "Bounded: there are data races that are meant to be.\n"
           "What comes of them was not followed (--suppress, MC_BENIGN_RACE).";
  if (summary.accessesLost)
    return "Bounded: a run uses more memory than can be watched.\n"
           "In the rest, data races were not looked for.";
  if (summary.interrupted)
    return "Complete for the order of operations.\n"
           "Some threads work for long, or wait for memory to change: that is not watched.";
  return "Complete: every order of thread operations was considered.";
}

/// What the program was not interested in has not been checked.
std::string assumptions(const Summary& summary) {
  if (summary.givenUp == 0) return "";
  if (summary.givenUp == summary.traces)
    return "\nEvery run ends at an assumption that does not hold (mc_assume): nothing after it was checked.";
  return fmt::format("\n{} at an assumption that does not hold (mc_assume).",
                     summary.givenUp == 1 ? "1 run ends" : fmt::format("{} runs end", summary.givenUp));
}

}  // namespace

std::string conclusion(const Summary& summary, const Limits& limits, const Circumstances& circumstances,
                       const std::string& placeOfLoop) {
  std::string bugs = summary.bugs == 0 ? "No bug" : plural(summary.bugs, "bug");
  bool isUnfinished = summary.bugs > 0 && summary.traces == 0;
  std::string found =
      fmt::format("{} in {}", bugs, isUnfinished ? "the first run" : plural(summary.traces, "run"));
  if (summary.cut != Cut::None) return found + ", " + whatIsMissing(summary, limits, circumstances);
  return found + ". " + coverage(summary, limits, circumstances, placeOfLoop) + assumptions(summary);
}

std::string_view completeness(const Summary& summary) {
  if (summary.cut != Cut::None || summary.stuckSeen || summary.isPartial()) return "no";
  return summary.threadDepthMet || summary.runDepthMet || summary.cutLoop != 0 || summary.racesLeft ||
                 summary.racesMeant || summary.accessesLost
             ? "bounded"
             : "yes";
}

std::string shareText(double done) {
  constexpr double kLeast = 0.01;
  constexpr double kMost = 0.99;  // it is not over
  if (done <= 0) return "";
  if (done < kLeast) return "less than 1%";
  return fmt::format("about {:.0f}%", std::floor(std::min(done, kMost) * 100));
}

std::string timeText(double seconds) {
  constexpr double kDay = 24 * kHour;
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  return seconds < 1000 * kDay ? fmt::format("{:.0f} days", seconds / kDay) : "years";
}

std::string withCommas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::uint64_t roundedUp(double number) {
  double unit = 1;
  while (number / unit > 100) unit *= 10;
  return static_cast<std::uint64_t>(std::ceil(number / unit) * unit);
}

}  // namespace mcmini
