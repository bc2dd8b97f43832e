#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace mcmini {

/// What the options are, and where each of them comes from: the command line, a file, or nowhere.
class Configuration {
 public:
  /// A file that the user has not named, but that was found, must not load code.
  enum class Found : std::uint8_t { NamedByUser, BesideProgram };

  /// The app has parsed the command line.
  explicit Configuration(CLI::App& app);

  /// Takes from a YAML file what the command line does not say. Its keys are the names of options; relative
  /// paths in it begin where it is. Throws UsageError with the file, line and column of what is wrong.
  void read(const std::filesystem::path& file, Found how);

  /// All of it as YAML, which read() takes.
  std::string text() const;

 private:
  CLI::App& app_;
  std::map<std::string, std::string> origins_;  // by key
};

/// What keys there are: one for each option, but for those that ask for something else than a check or say
/// what is read.
std::map<std::string, CLI::Option*> keysOf(CLI::App& app);

/// The file that is read unless the user names another one, if it is there. Throws UsageError if it is the
/// file of a stranger.
std::filesystem::path configurationBeside(const std::filesystem::path& program);

}  // namespace mcmini
