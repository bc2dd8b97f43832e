#include "core/app/options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "core/app/configuration.hpp"
#include "core/app/environment.hpp"
#include "core/app/errors.hpp"
#include "core/app/help.hpp"
#include "core/app/nearest.hpp"
#include "core/app/option_groups.hpp"
#include "core/app/option_kinds.hpp"
#include "core/target/program.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

std::string versionText() {
  return std::string("mcmini ") + MCMINI_VERSION;
}

bool takesProgram(const Options& options) {
  return options.command == Options::Command::Check || options.command == Options::Command::Doctor ||
         options.schedule;
}

std::string nearestOption(const CLI::App& app, const std::string& wrong) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return nearest(wrong, known);
}

const std::map<std::string, Options::Command> kPluginCommands = {
    {"list", Options::Command::PluginList},
    {"build", Options::Command::PluginBuild},
    {"new", Options::Command::PluginNew},
    {"check", Options::Command::PluginCheck},
};

const std::map<std::string, Options::Command> kCommands = {
    {"check", Options::Command::Check},
    {"doctor", Options::Command::Doctor},
    {"gdb", Options::Command::Gdb},
    {"replay", Options::Command::Replay},
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
  auto known = kCommands.find(first);
  if (known == kCommands.end()) return Options::Command::Check;
  take(1);
  return known->second;
}

/// A switch may be told "=true" or "=false".
void requireTruth(const std::string& word) {
  std::size_t equals = word.find('=');
  if (equals == std::string::npos) return;
  std::string value = word.substr(equals + 1);
  if (value != "true" && value != "false")
    throw UsageError(word.substr(0, equals) + " takes true or false, not '" + value + "'.");
}

/// The words, where "--time=" becomes "--time" and an empty word: the next one is not its value. What comes
/// after the options is left as it is.
std::vector<std::string> withEmptyValues(const std::vector<std::string>& words, const CLI::App& app) {
  std::vector<std::string> result;
  auto word = words.begin();
  for (; word != words.end() && word->starts_with("-") && *word != "--"; ++word) {
    std::string name = word->substr(0, word->find('='));
    const CLI::Option* option = app.get_option_no_throw(name);
    bool takesValue = option != nullptr && !isFlag(*option);
    if (option != nullptr && !takesValue) requireTruth(*word);
    bool isEmpty = takesValue && word->ends_with('=') && name.size() + 1 == word->size();
    result.push_back(isEmpty ? name : *word);
    if (isEmpty) result.emplace_back();
    if (takesValue && name == *word && std::next(word) != words.end()) result.push_back(*++word);
  }
  result.insert(result.end(), word, words.end());
  return result;
}

void refuseRepetition(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 1 && !isFlag(*option) && !isRepeatable(*option))
      throw UsageError("--" + keyOf(*option) + " is given twice.");
}

/// What only a check does, and what a saved bug brings with it.
constexpr std::string_view kOfACheck[] = {"search",     "first", "time",        "max-traces", "suppress",
                                          "no-promote", "json",  "no-simplify", "junit",      "sarif"};
constexpr std::string_view kOfASavedBug[] = {
    "policy",       "spurious-wakeups", "plugin",    "plugin-path", "stdin", "max-memory",
    "step-timeout", "max-thread-depth", "max-depth", "max-repeats", "check"};

/// An option that is ignored would be taken for one that has been heard.
void refuseWithoutEffect(const CLI::App& app, const Options& options) {
  bool isReplay = options.command == Options::Command::Replay;
  if (!isReplay && options.command != Options::Command::Gdb) return;
  const char* command = isReplay ? "mcmini replay" : "mcmini gdb";
  for (const CLI::Option* option : app.get_options()) {
    std::string key = keyOf(*option);
    if (option->count() == 0) continue;
    if (std::ranges::count(kOfACheck, key) != 0)
      throw UsageError(fmt::format("--{} is for a check, not for {}.", key, command));
    if (!options.schedule && std::ranges::count(kOfASavedBug, key) != 0)
      throw UsageError(fmt::format("--{} is not for {}: a saved bug has its own.", key, command));
  }
}

/// What run.sh has built for those who name no program.
std::string example() {
  const char* program = std::getenv("MCMINI_EXAMPLE");
  if (program == nullptr) throw UsageError("which program? Usage: mcmini [OPTIONS] PROGRAM [ARGUMENTS...]");
  fmt::print(stderr, "mcmini: no program named: checking the example {}\n", program);
  return program;
}

/// Takes away what is left of the command line: the program and its arguments, or those of the command.
void takeRest(const CLI::App& app, Options& options) {
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
  } else if (!takesProgram(options)) {
    options.arguments = rest;
  } else if (!rest.empty()) {
    options.program = rest.front();
    options.arguments.assign(rest.begin() + 1, rest.end());
  }
}

/// After an option, "replay" is the name of a program.
void refuseMisplacedCommand(const Options& options) {
  std::error_code unknown;
  if (options.program.empty() || std::ranges::count(commandNames(), options.program) == 0 ||
      fs::exists(findProgram(options.program, environmentVariable("PATH")), unknown))
    return;
  throw UsageError(fmt::format(
      "there is no program '{0}', and a command comes before all options: mcmini {0} ...", options.program));
}

/// The file that the user named, or the one beside the program.
void readConfiguration(Configuration& configuration, const std::string& named, const Options& options) {
  if (!named.empty()) return configuration.read(named, Configuration::Found::NamedByUser);
  if (!takesProgram(options) || options.program.empty()) return;
  fs::path program = findProgram(options.program, environmentVariable("PATH"));
  fs::path file = configurationBeside(program);
  if (!file.empty()) configuration.read(file, Configuration::Found::BesideProgram);
}

}  // namespace

std::vector<std::string> commandNames() {
  std::vector<std::string> names = {"help", "plugin"};
  for (const auto& [name, command] : kCommands) names.push_back(name);
  return names;
}

std::optional<Options> parseOptions(int argc, const char* const* argv, std::string& text) {
  Options options;
  options.limits.simplify = true;
  CLI::App app("", "mcmini");
  app.prefix_command();
  addOptions(app, options);
  std::string configurationFile;
  bool printsConfiguration = false;
  app.add_option("--config", configurationFile, "read options from this YAML file, not mcmini.yaml")
      ->type_name("FILE");
  addFlag(app, "--print-config", printsConfiguration, "print all options as YAML, and where they come from");
  app.set_help_flag("-h,--help", "print this; mcmini help TOPIC tells more");
  app.set_version_flag("--version", versionText(), "print the version");
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    text = helpOn({words.begin() + 1, words.end()}, app);
    return std::nullopt;
  }
  options.command = takeCommand(words);
  words = withEmptyValues(words, app);
  std::ranges::reverse(words);
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    text = helpText(app);
    return std::nullopt;
  } catch (const CLI::CallForVersion&) {
    text = versionText() + "\n";
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    refuseRepetition(app);
    std::string problem = error.what();
    if (problem.ends_with(" missing"))
      problem = problem.substr(0, problem.find(':')) + " needs a value after it";
    throw UsageError(problem + ". See mcmini --help.");
  }
  if (options.schedule && options.command != Options::Command::Replay)
    throw UsageError("--schedule is for mcmini replay: mcmini replay --schedule N,N,... PROGRAM.");
  refuseWithoutEffect(app, options);
  takeRest(app, options);
  refuseMisplacedCommand(options);
  bool needsExample = takesProgram(options) && options.program.empty() && !printsConfiguration;
  if (needsExample) options.program = example();
  Configuration configuration(app);
  readConfiguration(configuration, configurationFile, options);
  if (!printsConfiguration) return options;
  text = configuration.text();
  return std::nullopt;
}

}  // namespace mcmini
