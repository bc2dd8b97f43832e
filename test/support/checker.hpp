#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mcmini {

/// A directory that is there as long as the object is.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// Writes a file and returns where it is.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// A signal for mcmini, so long after it has started its target, or after it was started itself.
struct Kick {
  int signal = 0;
  std::chrono::milliseconds after{};
  bool sinceStart = false;
};

/// How mcmini is run, where that is not as usual.
struct Settings {
  enum class Input : std::uint8_t { Nothing, File, Pipe, OpenPipe };
  enum class Output : std::uint8_t { Kept, Closed, Full, BrokenPipe };

  Input inputKind = Input::Nothing;  ///< OpenPipe: with nothing in it, and a writer who never writes.
  std::string input;
  Output output = Output::Kept;
  std::vector<Kick> kicks;
  std::map<std::string, std::string> environment;  ///< Added to that of the test.
  std::filesystem::path directory;                 ///< To run in; by default one that is new and empty.
  std::chrono::seconds limit{60};
  std::filesystem::path prefix;  ///< Of the installation to run; by default the build tree.
  bool writes = false;           ///< Files are expected of it. Otherwise bugs that it saves are removed.
  bool repeats = true;           ///< What it finds is the same each time.
};

/// For a test that is about time: how far mcmini gets depends on the machine.
Settings dependingOnTime();

struct Outcome {
  int exitCode = 0;  ///< Negative: the signal that ended it.
  std::string out;
  std::string err;
  std::map<std::string, std::string> result;  ///< The fields of the RESULT line; empty if there was none.
  std::chrono::milliseconds elapsed{};

  /// A field of the RESULT line; empty if there was none.
  std::string operator[](const std::string& field) const;
  std::uint64_t count(const std::string& field) const;

  /// All that one wants to see when a test fails.
  std::string everything() const;
};

/// Runs mcmini with these arguments. Whatever it was for, the test fails if mcmini takes too long, if its
/// RESULT line has not the shape that scripts rely on or contradicts the exit code, or if a second later
/// something is left behind: a process, a file, shared memory. With MCMINI_REPEAT=N in the environment it is
/// run N times, every other time with --system-threads, and the test fails if not all of them have the same
/// counts, verdict and exit code.
Outcome check(const std::vector<std::string>& arguments, const Settings& settings = {});

/// The program of that name as built by gcc without optimization, or as one of its variants().
std::string program(const std::string& name, const std::string& variant = "gcc-O0");

/// Which builds of the program there are, of gcc-O0, gcc-O2, clang-O0 and clang-O2: all of an example's,
/// fewer of a program that only tests want, none of clang's where it is not installed.
std::vector<std::string> variants(const std::string& name);

/// Where a program of test/system/programs says that it will be caught: FILE:LINE of the line that ends with
/// "// HERE NAME".
std::string marked(const std::string& file, const std::string& name);

/// Runs a compiler's command line, quietly. False if that failed.
bool compile(const std::string& command);

/// What a shell prints when it runs the commands in a directory, stderr included, and its exit code.
struct ShellOutcome {
  int exitCode = 0;
  std::string out;
};
ShellOutcome shell(const std::filesystem::path& directory, const std::string& commands);

/// Installs mcmini into the directory, as its user would, and returns the prefix.
std::filesystem::path installInto(const ScratchDirectory& directory);

/// Builds NAME.so in the directory as its author would, against the headers in the source tree; those in the
/// directory come first. Returns where it is.
std::string buildPlugin(const ScratchDirectory& directory, const std::string& name,
                        const std::filesystem::path& source);

}  // namespace mcmini
