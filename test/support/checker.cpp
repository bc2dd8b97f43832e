#include "test/support/checker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "test/support/leftovers.hpp"
#include "test/support/none.hpp"

namespace mcmini {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

std::chrono::milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
}

/// A file without a name.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& text = "") : descriptor_(memfd_create("test", MFD_CLOEXEC)) {
    if (write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("no memory for a file");
    lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string text() const { return contentsOf("/proc/self/fd/" + std::to_string(descriptor_)); }

 private:
  int descriptor_;
};

/// Standard input as the settings want it; keeps the writing end where that has to stay open.
class Stdin {
 public:
  explicit Stdin(const Settings& settings) : file_(settings.input) {
    if (settings.inputKind == Settings::Input::Nothing) reading_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (settings.inputKind == Settings::Input::File) reading_ = dup(file_.descriptor());
    if (settings.inputKind < Settings::Input::Pipe) return;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    reading_ = ends[0];
    writing_ = ends[1];
    if (settings.inputKind == Settings::Input::OpenPipe) return;
    if (write(writing_, settings.input.data(), settings.input.size()) < 0)
      throw std::runtime_error("a full pipe");
    close(std::exchange(writing_, -1));
  }
  ~Stdin() {
    close(reading_);
    if (writing_ >= 0) close(writing_);
  }
  Stdin(const Stdin&) = delete;
  Stdin& operator=(const Stdin&) = delete;
  int descriptor() const { return reading_; }

 private:
  MemoryFile file_;
  int reading_ = -1;
  int writing_ = -1;
};

void arrangeOutput(Settings::Output kind, int kept) {
  int ends[2];
  switch (kind) {
    case Settings::Output::Kept:
      dup2(kept, STDOUT_FILENO);
      break;
    case Settings::Output::Closed:
      close(STDOUT_FILENO);
      break;
    case Settings::Output::Full:
      dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
      break;
    case Settings::Output::BrokenPipe:
      if (pipe2(ends, O_CLOEXEC) != 0) _exit(126);
      dup2(ends[1], STDOUT_FILENO);
      break;
  }
}

/// mcmini while it runs.
class Process {
 public:
  Process(const std::vector<std::string>& arguments, const Settings& settings, const fs::path& directory)
      : input_(settings) {
    std::vector<std::string> words = arguments;
    fs::path prefix = settings.prefix.empty() ? fs::path(MCMINI_BINARY_DIR) : settings.prefix;
    words.insert(words.begin(), (prefix / "bin/mcmini").string());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ != 0) return;
    dup2(input_.descriptor(), STDIN_FILENO);
    arrangeOutput(settings.output, out_.descriptor());
    dup2(err_.descriptor(), STDERR_FILENO);
    setenv("TMPDIR", directory.c_str(), 1);
    unsetenv("MCMINI_REPEAT");
    setenv("COLUMNS", "240", 1);  // sentences on one line; tests about the layout say --width
    for (const auto& [name, value] : settings.environment) setenv(name.c_str(), value.c_str(), 1);
    if (chdir(directory.c_str()) == 0) execv(argv[0], argv.data());
    _exit(126);
  }

  /// Waits for its end; false if it had to be ended.
  bool wait(const Settings& settings) {
    int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
    std::optional<Clock::time_point> targetStarted;
    std::vector<Kick> kicks = settings.kicks;
    bool inTime = true;
    auto limit = settings.limit * (std::getenv("MCMINI_REPEAT") == nullptr ? 1 : 3);  // of a busy machine
    for (pollfd end{descriptor, POLLIN, 0}; poll(&end, 1, kicks.empty() ? 100 : 1) == 0;) {
      if (!targetStarted && !childrenOf(process_).empty()) targetStarted = Clock::now();
      std::erase_if(kicks, [&](const Kick& kick) {
        auto from = kick.sinceStart ? std::optional(begin_) : targetStarted;
        return from && since(*from) >= kick.after && kill(process_, kick.signal) == 0;
      });
      if (since(begin_) < limit) continue;
      inTime = false;
      kill(process_, SIGKILL);
    }
    close(descriptor);
    return inTime;
  }

  Outcome outcome() {
    int status = 0;
    waitpid(process_, &status, 0);
    Outcome outcome;
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    outcome.out = out_.text();
    outcome.err = err_.text();
    outcome.elapsed = since(begin_);
    return outcome;
  }

 private:
  Clock::time_point begin_ = Clock::now();
  Stdin input_;
  MemoryFile out_;
  MemoryFile err_;
  pid_t process_ = -1;
};

/// The last line, if it is for scripts.
void readResult(Outcome& outcome) {
  static const std::regex shape(R"(RESULT verdict=[a-z]+ bugs=\d+ traces=\d+ transitions=\d+ blocked=\d+ )"
                                R"(complete=(?:yes|bounded|no) time=\d+\.\d\d exit=\d+\n)");
  std::size_t end = outcome.out.size() < 2 ? 0 : outcome.out.rfind('\n', outcome.out.size() - 2) + 1;
  std::string line = outcome.out.substr(end);
  if (!line.starts_with("RESULT ")) return;
  CHECK(std::regex_match(line, shape));
  std::istringstream words(line.substr(7));
  for (std::string word; words >> word;) {
    std::size_t equals = std::min(word.find('='), word.size() - 1);
    outcome.result[word.substr(0, equals)] = word.substr(equals + 1);
  }
  if (outcome.exitCode >= 0) CHECK(outcome["exit"] == std::to_string(outcome.exitCode));
}

std::string commandOf(const std::vector<std::string>& arguments) {
  std::string command = "mcmini";
  for (const std::string& word : arguments) command += " " + word;
  return command;
}

Outcome checkOnce(const std::vector<std::string>& arguments, const Settings& settings) {
  adoptOrphans();
  ScratchDirectory scratch;
  const fs::path& directory = settings.directory.empty() ? scratch.path() : settings.directory;
  bool watched = directory != "/proc";
  auto files = watched ? filesIn(directory) : std::set<fs::path>{};
  auto memory = sharedMemory();
  Process process(arguments, settings, directory);
  bool inTime = process.wait(settings);
  Outcome outcome = process.outcome();
  INFO(commandOf(arguments) << "\n" << outcome.everything());
  CHECK(inTime);
  readResult(outcome);
  CHECK(processesLeft() == kNone);
  if (watched && !settings.writes) {
    CHECK(filesIn(directory) == files);
    fs::remove_all(directory / kSaved);
  }
  CHECK(sharedMemory() == memory);
  return outcome;
}

int repetitions() {
  const char* wanted = std::getenv("MCMINI_REPEAT");
  return wanted == nullptr ? 1 : std::atoi(wanted);
}

/// For test/repeat.sh: something ran that is not compared with its own repetitions.
void askToBeRepeated() {
  if (repetitions() > 1) std::cerr << "to be repeated as a whole\n";
}

/// All that has to be the same each time.
std::string counts(const Outcome& outcome) {
  std::string text = "exit code " + std::to_string(outcome.exitCode);
  for (const auto& [field, value] : outcome.result)
    if (field != "time") text += " " + field + "=" + value;
  return text;
}

/// The same check of a program, with the other kind of threads.
std::vector<std::string> withSystemThreads(std::vector<std::string> arguments) {
  constexpr const char* kOthers[] = {"replay", "gdb", "doctor", "plugin", "help"};
  if (arguments.empty() || std::ranges::count(kOthers, arguments.front()) != 0) return arguments;
  auto options = arguments.begin() + (arguments.front() == "check" ? 1 : 0);
  arguments.insert(options, "--system-threads");
  return arguments;
}

}  // namespace

Settings dependingOnTime() {
  Settings settings;
  settings.repeats = false;
  return settings;
}

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (fs::temp_directory_path() / "mcmini-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path ScratchDirectory::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return path_ / name;
}

std::string Outcome::operator[](const std::string& field) const {
  auto at = result.find(field);
  return at == result.end() ? "" : at->second;
}

std::uint64_t Outcome::count(const std::string& field) const {
  auto at = result.find(field);
  if (at == result.end()) throw std::runtime_error("no RESULT line with " + field + "; " + everything());
  return std::stoull(at->second);
}

std::string Outcome::everything() const {
  return "exit code " + std::to_string(exitCode) + "\n" + out + err;
}

Outcome check(const std::vector<std::string>& arguments, const Settings& settings) {
  if (!settings.repeats) askToBeRepeated();
  Outcome first = checkOnce(arguments, settings);
  int times = settings.repeats ? repetitions() : 1;
  for (int i = 1; i < times; ++i) {
    Outcome again = checkOnce(i % 2 == 1 ? withSystemThreads(arguments) : arguments, settings);
    INFO(commandOf(arguments) << "\nrepetition " << i << "\n" << again.everything());
    CHECK(counts(again) == counts(first));
  }
  return first;
}

std::string program(const std::string& name, const std::string& variant) {
  return std::string(MCMINI_PROGRAMS) + "/" + variant + "/" + name;
}

std::vector<std::string> variants(const std::string& name) {
  std::vector<std::string> all = {"gcc-O0", "gcc-O2", "clang-O0", "clang-O2"};
  std::erase_if(all, [&](const std::string& variant) { return !fs::exists(program(name, variant)); });
  INFO("no build of " << name);
  REQUIRE(!all.empty());
  return all;
}

std::string marked(const std::string& file, const std::string& name) {
  std::ifstream source(std::string(MCMINI_SOURCE_DIR) + "/test/system/programs/" + file);
  int number = 1;
  for (std::string line; std::getline(source, line); ++number)
    if (line.ends_with("// HERE " + name)) return file + ":" + std::to_string(number);
  throw std::runtime_error("no such mark: " + name);
}

bool compile(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

ShellOutcome shell(const fs::path& directory, const std::string& commands) {
  askToBeRepeated();
  fs::path script = fs::temp_directory_path() / ("mcmini-commands-" + std::to_string(getpid()));
  std::ofstream(script) << "exec 2>&1 </dev/null\ncd '" << directory.string() << "'\n" << commands << "\n";
  FILE* pipe = popen(("sh -e '" + script.string() + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  ShellOutcome outcome;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) outcome.out += static_cast<char>(c);
  int status = pclose(pipe);
  outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  fs::remove(script);
  return outcome;
}

fs::path installInto(const ScratchDirectory& directory) {
  fs::path prefix = directory / "prefix";
  ShellOutcome outcome =
      shell(directory.path(),
            MCMINI_TEST_CMAKE " --install '" MCMINI_BINARY_DIR "' --prefix '" + prefix.string() + "'");
  INFO(outcome.out);
  REQUIRE(outcome.exitCode == 0);
  return prefix;
}

std::string buildPlugin(const ScratchDirectory& directory, const std::string& name, const fs::path& source) {
  std::string file = (directory / (name + ".so")).string();
  REQUIRE(compile(std::string(MCMINI_TEST_CXX) + " -std=c++20 -shared -fPIC -Wall -Werror -I" +
                  directory.path().string() + " -I" + MCMINI_SOURCE_DIR + " -I" + MCMINI_BINARY_DIR +
                  "/include -o " + file + " " + source.string()));
  return file;
}

}  // namespace mcmini
