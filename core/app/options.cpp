#include "core/app/options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "core/app/errors.hpp"
#include "core/app/nearest.hpp"
#include "libmcmini/wire.h"

namespace mcmini {

namespace {

constexpr const char* kVersion = MCMINI_VERSION;

struct HelpText : CLI::Formatter {
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: mcmini [check] [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
           "       mcmini replay [FILE|N]           runs into a saved bug again; without one: lists them\n"
           "       mcmini replay --schedule 0,0,1,2 PROGRAM [ARGUMENTS...]   runs threads in this order\n"
           "       mcmini gdb FILE|N [GDB-ARGUMENTS...]   walks through a saved bug, step by step\n"
           "       mcmini doctor PROGRAM            what of the program can be checked\n"
           "       mcmini plugin list [FILE...]     wakeup policies and operations, and where they come "
           "from\n"
           "       mcmini plugin new NAME           writes a plugin to begin with\n"
           "       mcmini plugin build FILE.cpp     compiles a plugin\n"
           "       mcmini plugin check FILE.so      looks for mistakes in what a plugin says of its "
           "operations\n";
  }
};

std::string nearestOption(const CLI::App& app, const std::string& wrong) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return nearest(wrong, known);
}

/// A number with one of the units, or with none, which is the first one.
template <class Number>
Number withUnit(const std::string& option, const std::string& text,
                const std::vector<std::pair<std::string, double>>& units, const char* example) {
  std::size_t digits = text.find_first_not_of("0123456789.");
  std::string unit = digits == std::string::npos ? units.front().first : text.substr(digits);
  auto known = std::ranges::find(units, unit, &std::pair<std::string, double>::first);
  try {
    std::size_t used = 0;
    std::string number = text.substr(0, digits);
    double value = std::stod(number, &used);
    if (known != units.end() && used == number.size() && value * known->second < 1e18)
      return Number(static_cast<std::int64_t>(value * known->second));
  } catch (const std::logic_error&) {
    // not a number: told below
  }
  throw UsageError(option + " takes something like " + example + ", not '" + text + "'.");
}

std::chrono::milliseconds duration(const std::string& option, const std::string& text) {
  auto parsed = withUnit<std::chrono::milliseconds>(
      option, text, {{"s", 1000.}, {"ms", 1.}, {"m", 60'000.}, {"min", 60'000.}, {"h", 3'600'000.}},
      "60s, 500ms or 5m");
  if (parsed.count() <= 0) throw UsageError(option + " takes a time greater than zero, not '" + text + "'.");
  return parsed;
}

template <class Number>
void addCount(CLI::App& app, const std::string& name, Number& into, const std::string& help,
              std::uint64_t most, std::uint64_t least = 1) {
  app.add_option_function<std::string>(
         name,
         [&into, name, most, least](const std::string& text) {
           bool digits = !text.empty() && text.size() < 19 &&
                         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
           std::uint64_t value = digits ? std::stoull(text) : 0;
           if (!digits || value < least || value > most)
             throw UsageError(name + " takes a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most) + ", not '" + text + "'.");
           into = static_cast<Number>(value);
         },
         help)
      ->type_name("N");
}

template <class Choice>
void addChoice(CLI::App& app, const std::string& name, Choice& into,
               const std::vector<std::pair<std::string, Choice>>& choices, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [&into, name, choices](const std::string& text) {
           std::string list;
           for (const auto& [word, choice] : choices) {
             if (word == text) {
               into = choice;
               return;
             }
             list += (list.empty() ? "" : ", ") + word;
           }
           throw UsageError(name + " takes one of " + list + ", not '" + text + "'.");
         },
         help)
      ->type_name("NAME");
}

constexpr std::string_view kQueueKinds[] = {"cond", "sem", "mutex", "rwlock", "futex"};

/// "fifo", or "cond=lifo,sem=fifo".
void parsePolicies(const std::string& text, std::vector<std::pair<std::string, std::string>>& policies) {
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

/// "0,0,1,2,1".
std::vector<std::uint32_t> parseSchedule(const std::string& text) {
  std::vector<std::uint32_t> schedule;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    bool isNumber = !part.empty() && part.size() < 5 &&
                    std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber)
      throw UsageError(
          "--schedule takes the numbers of threads, as in --schedule 0,0,1,2,1 (0 is main), not '" + text +
          "'.");
    schedule.push_back(static_cast<std::uint32_t>(std::stoul(part)));
  }
  return schedule;
}

void addReportOptions(CLI::App& app, Options& options) {
  addChoice(app, "--output", options.output,
            {{"failing", OutputShown::Failing}, {"all", OutputShown::All}, {"none", OutputShown::None}},
            "What the program itself prints: of the failing run (default), of all runs, or none of it");
  addCount(app, "--width", options.width, "Columns of the report; by default those of the terminal, or 80",
           10'000, 20);
  app.add_flag("!--no-color", options.color,
               "No colours; the same if NO_COLOR is set or stdout is no terminal");
  app.add_flag("--ascii", options.ascii, "Nothing but ASCII in the report");
}

void addOptions(CLI::App& app, Options& options) {
  app.add_option_function<std::vector<std::string>>(
         "--policy",
         [&](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) parsePolicies(text, options.policies);
         },
         "Who is woken: arbitrary (default), fifo, lifo, spurious, or the path of a policy plugin; per kind "
         "of "
         "queue:\n"
         "cond=lifo,sem=fifo (kinds: cond, sem, mutex, rwlock, futex)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  addCount(app, "--spurious-wakeups", options.spuriousWakeups,
           "So many threads may leave each condition variable though nobody has signalled", 1'000, 0);
  addChoice(app, "--search", options.search,
            {{"optimal", Options::Search::Optimal},
             {"dpor", Options::Search::Dpor},
             {"naive", Options::Search::Naive}},
            "optimal (default): one run for each behaviour; dpor: the classic reduction; naive: every "
            "interleaving");
  constexpr std::uint64_t kMany = 999'999'999'999;
  addCount(app, "--max-thread-depth", options.limits.threadDepth, "Each thread ends after N operations",
           4'000'000'000);
  addCount(app, "--max-depth", options.limits.runDepth, "A run is cut after N operations (default 200000)",
           wire::kMaxSteps - 2);
  addCount(app, "--max-repeats", options.limits.repeats,
           "A loop that tries, fails and gives back is followed for N more rounds (default 1)", 1'000'000);
  addCount(app, "--max-traces", options.limits.traces, "Stop after N runs", kMany);
  auto addDuration = [&](const std::string& name, auto& into, const std::string& help) {
    app.add_option_function<std::string>(
           name, [&into, name](const std::string& text) { into = duration(name, text); }, help)
        ->type_name("TIME");
  };
  addDuration("--time", options.time, "Stop after this time: 60s, 500ms, 5m");
  addDuration(
      "--step-timeout", options.stepTimeout,
      "A thread that reaches no operation within this time, and nobody can help, is stuck (default 5s)");
  app.add_option_function<std::string>(
         "--max-memory",
         [&](const std::string& text) {
           constexpr double kKi = 1024;
           options.maxMemory = static_cast<std::uint64_t>(withUnit<std::int64_t>(
               "--max-memory", text, {{"", 1.}, {"K", kKi}, {"M", kKi * kKi}, {"G", kKi * kKi * kKi}},
               "512M or 4G"));
         },
         "What the program may allocate in a run (default 1G)")
      ->type_name("SIZE");
  addChoice(app, "--on-unsupported", options.onUnsupported,
            {{"warn", Options::OnUnsupported::Warn},
             {"error", Options::OnUnsupported::Error},
             {"ignore", Options::OnUnsupported::Ignore}},
            "What to do about functions that wait and are not modelled: warn (default), error, ignore");
  addChoice(app, "--check", options.limits.leaks, {{"leak", true}},
            "leak: what is initialized by a call and never destroyed is a misuse");
  app.add_flag("--first", options.limits.firstBugOnly, "Stop at the first bug");
  app.add_option("--plugin", options.plugins,
                 "Load a plugin: a file, or the name of a ready one (may be repeated)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--plugin-path", options.pluginPaths, "Load all plugins of a directory (may be repeated)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("--stdin", options.input, "What each run reads as its standard input")->type_name("FILE");
  app.add_option("-o,--output-dir", options.outputDirectory,
                 "Where bugs are saved, one file each (default .mcmini)")
      ->type_name("DIR");
  app.add_flag("!--no-simplify", options.limits.simplify, "Show the run that found a bug as it was");
  app.add_option_function<std::string>(
         "--schedule", [&](const std::string& text) { options.schedule = parseSchedule(text); },
         "replay: the threads that move, one after the other, by number in the order of their creation")
      ->type_name("N,N,...");
  app.add_flag("!--no-pin", options.pin, "Do not keep the checker and its target on one core");
  addReportOptions(app, options);
  app.add_flag("-q,--quiet", options.quiet, "Print the RESULT line only");
  app.add_flag("-v,--verbose", options.verbose, "Log what the checker does to stderr");
}

const std::map<std::string, Options::Command> kPluginCommands = {
    {"list", Options::Command::PluginList},
    {"build", Options::Command::PluginBuild},
    {"new", Options::Command::PluginNew},
    {"check", Options::Command::PluginCheck},
};

/// Takes the words away that say what to do; without any, it is to check a program.
Options::Command takeCommand(std::vector<std::string>& words) {
  auto take = [&](std::ptrdiff_t count) { words.erase(words.begin(), words.begin() + count); };
  std::string first = words.empty() ? "" : words.front();
  if (first == "plugin") {
    std::string what = words.size() > 1 ? words[1] : "";
    bool asksForHelp = what == "--help" || what == "-h";
    auto known = kPluginCommands.find(what);
    if (known == kPluginCommands.end() && !asksForHelp)
      throw UsageError((what.empty() ? "what about plugins?" : "mcmini plugin cannot '" + what + "'.") +
                       " There is: mcmini plugin list [FILE...], mcmini plugin new NAME, mcmini plugin build "
                       "FILE.cpp, mcmini plugin check FILE.so. (A program of that name: ./plugin)");
    take(asksForHelp ? 1 : 2);
    return asksForHelp ? Options::Command::PluginList : known->second;
  }
  if (first == "check" || first == "doctor" || first == "replay" || first == "gdb") take(1);
  if (first == "replay") return Options::Command::Replay;
  if (first == "gdb") return Options::Command::Gdb;
  return first == "doctor" ? Options::Command::Doctor : Options::Command::Check;
}

/// What run.sh has built for those who name no program.
std::string example() {
  const char* program = std::getenv("MCMINI_EXAMPLE");
  if (program == nullptr) throw UsageError("which program? Usage: mcmini [OPTIONS] PROGRAM [ARGUMENTS...]");
  fmt::print(stderr, "mcmini: no program named: checking the example {}\n", program);
  return program;
}

}  // namespace

std::optional<Options> parseOptions(int argc, const char* const* argv, std::string& text) {
  Options options;
  options.limits.simplify = true;
  CLI::App app(
      "Runs a pthread program under every schedule that can make a difference, and reports deadlocks,\n"
      "failed assertions, crashes and other bugs, each with a schedule that leads to it.",
      "mcmini");
  app.formatter(std::make_shared<HelpText>());
  app.prefix_command();
  addOptions(app, options);
  app.set_version_flag("--version", std::string("mcmini ") + kVersion);
  app.footer(
      "Exit codes: 0 no bug, 1 bug found, 2 wrong call, 3 no bug but stopped early, 4 the program cannot be\n"
      "checked, 5 replay: the program does something else, 70 a bug of mcmini, 130 interrupted.");
  std::vector<std::string> words(argv + 1, argv + argc);
  options.command = takeCommand(words);
  std::ranges::reverse(words);
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    text = app.help();
    return std::nullopt;
  } catch (const CLI::CallForVersion&) {
    text = std::string("mcmini ") + kVersion + "\n";
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what() + std::string(". See mcmini --help."));
  }
  std::vector<std::string> rest = app.remaining();
  if (!rest.empty() && rest.front() != "--" && rest.front().starts_with("-")) {
    std::string wrong = rest.front().substr(0, rest.front().find('='));
    std::string nearest = nearestOption(app, wrong);
    throw UsageError("unknown option '" + wrong + "'" +
                     (nearest.empty() ? ". See mcmini --help." : "; did you mean '" + nearest + "'?"));
  }
  if (!rest.empty() && rest.front() == "--") rest.erase(rest.begin());
  if (options.command == Options::Command::PluginList) {
    options.plugins.insert(options.plugins.end(), rest.begin(), rest.end());
    return options;
  }
  bool namesProgram = options.command == Options::Command::Check ||
                      options.command == Options::Command::Doctor || options.schedule;
  if (!namesProgram) {
    options.arguments = rest;
    return options;
  }
  if (rest.empty()) rest.push_back(example());
  options.program = rest.front();
  options.arguments.assign(rest.begin() + 1, rest.end());
  return options;
}

}  // namespace mcmini
