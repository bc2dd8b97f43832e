#include "core/app/option_groups.hpp"

#include <sstream>

#include "core/app/errors.hpp"
#include "core/app/option_kinds.hpp"
#include "libmcmini/wire.h"

namespace mcmini {

namespace {

constexpr std::uint64_t kMany = 999'999'999'999;
constexpr std::string_view kQueueKinds[] = {"cond", "sem", "mutex", "rwlock", "futex"};

using Policy = std::pair<std::string, std::string>;

/// "fifo", or "cond=lifo,sem=fifo".
void parsePolicies(const std::string& text, std::vector<Policy>& policies) {
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    std::size_t equals = part.find('=');
    std::string kind = equals == std::string::npos ? "" : part.substr(0, equals);
    std::string name = equals == std::string::npos ? part : part.substr(equals + 1);
    if (!kind.empty() && std::ranges::find(kQueueKinds, kind) == std::end(kQueueKinds))
      throw UsageError("--policy: '" + kind +
                       "' is no kind of wait queue; there are cond, sem, mutex, rwlock and futex.");
    if (name.empty())
      throw UsageError("--policy takes a name, as in --policy fifo or --policy cond=lifo,sem=fifo.");
    policies.emplace_back(kind, name);
  }
}

std::optional<std::uint32_t> smallNumber(const std::string& text) {
  bool isNumber = !text.empty() && text.size() < 6 &&
                  std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return isNumber ? std::optional(static_cast<std::uint32_t>(std::stoul(text))) : std::nullopt;
}

/// "0,0,1,2=1,1".
std::vector<ScheduledStep> parseSchedule(const std::string& text) {
  std::vector<ScheduledStep> schedule;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    std::size_t equals = part.find('=');
    auto thread = smallNumber(part.substr(0, equals));
    auto choice = equals == std::string::npos ? std::optional(0U) : smallNumber(part.substr(equals + 1));
    if (!thread || !choice)
      throw UsageError(
          "--schedule takes the numbers of threads, as in --schedule 0,0,1,2,1 (0 is main), or 2=1 where "
          "thread 2 "
          "chooses 1 (mc_choose), not '" +
          text + "'.");
    schedule.push_back({*thread, *choice});
  }
  return schedule;
}

void addSearch(CLI::App& app, Options& options) {
  app.option_defaults()->group("Search and its bounds");
  addChoice(app, "--search", options.search,
            {{"optimal", Options::Search::Optimal},
             {"dpor", Options::Search::Dpor},
             {"naive", Options::Search::Naive}},
            "optimal, dpor or naive\n"
            "optimal does one run for each behaviour; dpor is the classic reduction; naive runs every "
            "interleaving.");
  addFlag(app, "--first", options.limits.firstBugOnly, "stop at the first bug");
  addFlag(app, "--no-pin", options.pin, "do not keep checker and program on one core", false);
  addFlag(app, "--system-threads", options.fibers, "do not replace threads by fibers, which are faster",
          false);
  app.add_option_function<std::string>(
         "--schedule", [&](const std::string& text) { options.schedule = parseSchedule(text); },
         "replay: the threads that move, one after the other\nBy number in the order of their creation.")
      ->type_name("N,N,...");
}

void addBounds(CLI::App& app, Options& options) {
  addDuration(app, "--time", options.time, "stop after this time: 60s, 500ms, 5m");
  addCount(app, "--max-traces", options.limits.traces, "stop after N runs", kMany);
  addCount(app, "--max-thread-depth", options.limits.threadDepth, "each thread ends after N operations",
           4'000'000'000);
  addCount(app, "--max-depth", options.limits.runDepth, "a run is cut after N operations",
           wire::kMaxSteps - 2);
  addCount(app, "--max-repeats", options.limits.repeats, "rounds of a loop that tries and gives back",
           1'000'000);
  addSize(app, "--max-memory", options.maxMemory, "what the program may allocate in a run");
}

void addBugs(CLI::App& app, Options& options) {
  app.option_defaults()->group("What is a bug");
  addChoice(app, "--check", options.limits.leaks, {{"leak", true}},
            "leak: what is initialized and never destroyed");
  addPaths(app, "--suppress", options.suppressions,
           "do not report the data races that fit its patterns\n"
           "One a line: FILE:LINE, a function or a variable, each with * for anything; # begins a comment.");
  addFlag(app, "--no-promote,!--promote-races", options.limits.races.promote,
          "do not follow what comes of data races\n"
          "By default (--promote-races) racy accesses become steps, to find what comes of them.",
          false);
  addDuration(app, "--step-timeout", options.stepTimeout,
              "who reaches no operation in this time is stuck\n"
              "Not if another thread can help it.");
  addChoice(app, "--on-unsupported", options.onUnsupported,
            {{"warn", Options::OnUnsupported::Warn},
             {"error", Options::OnUnsupported::Error},
             {"ignore", Options::OnUnsupported::Ignore}},
            "waits not modelled: warn, error, ignore");
}

void addPlugins(CLI::App& app, Options& options) {
  app.option_defaults()->group("Plugins and policies");
  auto read = [&](const std::vector<std::string>& texts) {
    options.policies.clear();
    for (const std::string& text : texts) parsePolicies(text, options.policies);
  };
  CLI::Option* policy = app.add_option_function<std::vector<std::string>>(
      "--policy", read,
      "who is woken: fifo, lifo, spurious, FILE.so\n"
      "For some kinds of wait queues only: cond=lifo,sem=fifo (kinds: cond, sem, mutex, rwlock, futex).");
  policy->type_name("NAME")->allow_extra_args(false)->default_str("arbitrary");
  setWords(*policy, {"arbitrary", "fifo", "lifo", "spurious"});
  addCount(app, "--spurious-wakeups", options.spuriousWakeups,
           "so many may leave a condition variable unsignalled", 1'000, 0);
  addPaths(app, "--plugin", options.plugins, "load a plugin: its file, or the name of a ready one");
  addPaths(app, "--plugin-path", options.pluginPaths, "load all plugins of a directory", "DIR");
}

void addOutput(CLI::App& app, Options& options) {
  app.option_defaults()->group("Input and output");
  addPath(app, "--stdin", options.input, "what each run reads as its standard input");
  addChoice(app, "--output", options.output,
            {{"failing", OutputShown::Failing}, {"all", OutputShown::All}, {"none", OutputShown::None}},
            "the program's output: failing, all, none");
  addCount(app, "--width", options.width,
           "columns of the report\nBy default as COLUMNS says, else those of the terminal, else 80.", 10'000,
           20);
  addFlag(app, "--no-color", options.color,
          "no colours\nThere are none either if NO_COLOR is set or stdout is no terminal.", false);
  addFlag(app, "--ascii", options.ascii, "nothing but ASCII in the report");
  auto saveIn = [&](const std::string& text) { options.outputDirectory = text; };
  app.add_option_function<std::string>("-o,--output-dir", saveIn,
                                       "where bugs are saved, one file each (.mcmini)")
      ->type_name("DIR");
  addFlag(app, "--no-simplify", options.limits.simplify, "show the run that found a bug as it was", false);
  addPath(app, "--json", options.json, "write a report as JSON; - is stdout, without the text", "FILE|-");
  addPath(app, "--junit", options.junit, "write a report as JUnit XML");
  addPath(app, "--sarif", options.sarif, "write a report as SARIF 2.1.0");
  addFlag(app, "-q,--quiet", options.quiet, "print the RESULT line only");
  addFlag(app, "-v,--verbose", options.verbose, "log what the checker does to stderr");
}

}  // namespace

void addOptions(CLI::App& app, Options& options) {
  addSearch(app, options);
  addBounds(app, options);
  addBugs(app, options);
  addPlugins(app, options);
  addOutput(app, options);
}

}  // namespace mcmini
