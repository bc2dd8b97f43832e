#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mcmini {

// The kinds of options that there are. Each knows its default as text, what it takes, and how to refuse
// anything else; help, configuration files, the man page and completion are made from that. The first line of
// a description is what `mcmini --help` shows.

/// Tells which words an option takes, or some that it takes.
void setWords(CLI::Option& option, const std::vector<std::string>& words);

/// The words that an option takes; empty if they are not known.
std::vector<std::string> wordsOf(const CLI::Option& option);

/// The name of an option without dashes: its key in a configuration file.
std::string keyOf(const CLI::Option& option);

/// What help shows for its value: "N", "FILE", ...
std::string typeOf(const CLI::Option& option);

/// May the option be given more than once?
bool isRepeatable(const CLI::Option& option);

/// Is it a switch, without a value?
bool isFlag(const CLI::Option& option);

/// A whole number, or throws UsageError.
std::uint64_t parseCount(const std::string& option, const std::string& text, std::uint64_t least,
                         std::uint64_t most);

/// "60s", "500ms", "5m", or throws UsageError.
std::chrono::milliseconds parseDuration(const std::string& option, const std::string& text);
std::string durationText(std::chrono::milliseconds time);

/// "512M", or throws UsageError.
std::uint64_t parseSize(const std::string& option, const std::string& text);
std::string sizeText(std::uint64_t bytes);

/// Throws a UsageError with the words that the option takes.
[[noreturn]] void refuseWord(const std::string& option, const std::string& text,
                             const std::vector<std::string>& words);

CLI::Option* addFlag(CLI::App& app, const std::string& names, bool& into, const std::string& help,
                     bool value = true);
CLI::Option* addSize(CLI::App& app, const std::string& name, std::uint64_t& into, const std::string& help);
CLI::Option* addPath(CLI::App& app, const std::string& name, std::optional<std::filesystem::path>& into,
                     const std::string& help, const std::string& type = "FILE");
CLI::Option* addPaths(CLI::App& app, const std::string& name, std::vector<std::filesystem::path>& into,
                      const std::string& help, const std::string& type = "FILE");

/// The number that stands for "no limit" is not shown as a default.
template <class Number>
std::string countText(const Number& value) {
  return value == std::numeric_limits<Number>::max() ? "" : std::to_string(value);
}
inline std::string countText(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : "";
}

template <class Number>
CLI::Option* addCount(CLI::App& app, const std::string& name, Number& into, const std::string& help,
                      std::uint64_t most, std::uint64_t least = 1) {
  auto read = [&into, name, most, least](const std::string& text) {
    into = static_cast<Number>(parseCount(name, text, least, most));
  };
  return app.add_option_function<std::string>(name, read, help)->type_name("N")->default_str(countText(into));
}

inline std::string durationText(const std::optional<std::chrono::milliseconds>& time) {
  return time ? durationText(*time) : "";
}

template <class Duration>
CLI::Option* addDuration(CLI::App& app, const std::string& name, Duration& into, const std::string& help) {
  auto read = [&into, name](const std::string& text) { into = parseDuration(name, text); };
  return app.add_option_function<std::string>(name, read, help)
      ->type_name("TIME")
      ->default_str(durationText(into));
}

template <class Choice>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Choice& into,
                       const std::vector<std::pair<std::string, Choice>>& choices, const std::string& help) {
  using Pair = std::pair<std::string, Choice>;
  std::vector<std::string> words;
  for (const Pair& choice : choices) words.push_back(choice.first);
  auto read = [&into, name, choices, words](const std::string& text) {
    auto chosen = std::ranges::find(choices, text, &Pair::first);
    if (chosen == choices.end()) refuseWord(name, text, words);
    into = chosen->second;
  };
  auto now = std::ranges::find(choices, into, &Pair::second);
  CLI::Option* option = app.add_option_function<std::string>(name, read, help)->type_name("WORD");
  option->default_str(now == choices.end() ? "" : now->first);
  setWords(*option, words);
  return option;
}

}  // namespace mcmini
