#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/report/text_reporter.hpp"
#include "core/search/explorer.hpp"

namespace mcmini {

/// A step of a schedule that the user gives: the number of the thread that moves, and what it chooses there,
/// if it has a choice.
struct ScheduledStep {
  std::uint32_t thread = 0;
  std::uint32_t choice = 0;
};

/// What the user asked for.
struct Options {
  enum class Command : std::uint8_t {
    Check,
    Doctor,
    PluginList,
    PluginBuild,
    PluginNew,
    PluginCheck,
    Replay,
    Gdb
  };
  enum class Search : std::uint8_t { Optimal, Dpor, Naive };
  enum class OnUnsupported : std::uint8_t { Warn, Error, Ignore };

  Command command = Command::Check;
  std::string program;
  std::vector<std::string> arguments;  ///< Of the program, or of the command.
  Search search = Search::Optimal;
  Limits limits;
  std::optional<std::chrono::milliseconds> time;
  std::chrono::milliseconds stepTimeout{5000};
  std::uint64_t maxMemory = std::uint64_t{1} << 30;
  std::vector<std::pair<std::string, std::string>> policies;  ///< Kind of wait queue ("" for all), policy.
  std::optional<std::uint64_t> spuriousWakeups;               ///< At each condition variable.
  std::vector<std::filesystem::path> plugins;
  std::vector<std::filesystem::path> pluginPaths;
  std::vector<std::filesystem::path> suppressions;  ///< Files that say which races are of no interest.
  std::vector<std::string> promoted;  ///< Memory where accesses are operations, as ModuleMap names it.
  std::optional<std::filesystem::path> input;
  std::optional<std::string> inputText;  ///< The standard input itself.
  std::filesystem::path outputDirectory = ".mcmini";
  std::optional<std::vector<ScheduledStep>> schedule;
  OnUnsupported onUnsupported = OnUnsupported::Warn;
  std::optional<std::filesystem::path> json;  ///< Reports for machines; "-": instead of the text.
  std::optional<std::filesystem::path> junit;
  std::optional<std::filesystem::path> sarif;
  OutputShown output = OutputShown::Failing;
  std::optional<std::size_t> width;  ///< Columns of the report, whatever the terminal has.
  bool color = true;                 ///< On a terminal.
  bool ascii = false;
  bool pin = true;
  bool fibers = true;  ///< Are threads fibers, where the program allows it?
  bool quiet = false;
  bool verbose = false;
};

/// Reads a command line; throws UsageError. Nothing: the user asked for help or the version, and `text` is
/// the answer.
std::optional<Options> parseOptions(int argc, const char* const* argv, std::string& text);

}  // namespace mcmini
