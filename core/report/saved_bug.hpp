#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mcmini {

/// A thread of a saved run.
struct SavedThread {
  std::string path;      ///< "main", "main/2" for the second thread that main creates, "main/2/1", ...
  std::string name;      ///< "worker#1", as the report says.
  std::uint32_t id = 0;  ///< Its place in the order in which the search came to know threads.
};

/// A step of a saved run. Nothing in it depends on where the program and its libraries were loaded.
struct SavedStep {
  std::uint32_t thread = 0;  ///< Which of the threads, in the order in which this run creates them.
  std::string operation;     ///< Its dotted name: "mutex.lock".
  std::string call;          ///< In the words of the program: "pthread_mutex_lock(fork[2])".
  std::string object;        ///< What it is done to, if that has a name: "fork[2]".
  std::string place;         ///< "philo.c:18"; empty if not known.
  std::string site;          ///< The same as an address: "philo+0x11d9".
  std::int64_t result = 0;
  std::uint32_t choice = 0;    ///< Which way it went, of several.
  bool last = false;           ///< The thread crashes after it.
  bool doomed = false;         ///< It is not carried out.
  std::uint32_t patience = 0;  ///< How long the thread may work after it (core/search/target.hpp).

  bool operator==(const SavedStep&) const = default;
};

/// How the program was run, as far as that matters to the run. Files are absolute paths.
struct SavedOptions {
  std::vector<std::pair<std::string, std::string>> policies;  ///< Kind of wait queue ("" for all), policy.
  std::optional<std::uint64_t> spuriousWakeups;
  std::vector<std::string> plugins;
  std::vector<std::string> pluginPaths;
  std::string input;      ///< The file that was the standard input ...
  std::string inputText;  ///< ... or what was read from it, if it was no file.
  std::uint64_t maxMemory = 0;
  std::uint64_t stepTimeoutMs = 0;
  std::optional<std::uint64_t> threadDepth;
  std::uint64_t runDepth = 0;
  std::uint64_t repeats = 0;
  bool leaks = false;
  std::vector<std::string> promoted;  ///< Memory where accesses are operations: "philo+0x4010 4", in bytes.
};

/// A bug as it is kept in a file: enough to run into it again.
struct SavedBug {
  std::string program;    ///< Its absolute path,
  std::string called;     ///< as the user called it,
  std::string directory;  ///< and where that was.
  std::string buildId;    ///< "content:..." if the linker gave it none.
  std::vector<std::string> arguments;
  SavedOptions options;

  std::string kind;                     ///< As in the RESULT line.
  std::string sentence;                 ///< The first line of the report.
  std::string key;                      ///< Equal for what a user would call the same bug.
  std::uint64_t run = 0;                ///< The number of the run that found it.
  std::optional<std::size_t> noReturn;  ///< The step, from 0, after which no run ends well any more.
  std::size_t switchesWhenFound = 0;

  std::vector<SavedThread> threads;  ///< In the order in which the run creates them; main is the first.
  std::vector<SavedStep> schedule;

  /// Names the bug of this build of the program, called with these arguments, among all: eight hexadecimal
  /// digits. A program that was built anew may come to the same bug in another way.
  std::string hash() const;
};

/// A file is not what it should be; the text names it, and the line where that is known.
struct SavedBugError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text of a file.
std::string asYaml(const SavedBug& bug);

/// Throws SavedBugError.
SavedBug readSavedBug(const std::filesystem::path& file);

}  // namespace mcmini
