#include "test/bench/experiments/checker.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace mcmini::experiments {

namespace fs = std::filesystem;

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double processorTimeOfChildren() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string readAll(int from) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(from, buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

/// What the command prints to stdout and stderr. Throws Mistake if it cannot be started.
std::string outputOf(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Mistake("no pipe for mcmini: " + std::string(strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output = error == 0 ? readAll(ends[0]) : "";
  close(ends[0]);
  if (error != 0) throw Mistake("cannot start " + words[0] + ": " + strerror(error));
  waitpid(child, nullptr, 0);
  return output;
}

/// Of the last line, "RESULT name=value ...".
std::string field(const std::string& output, const std::string& name) {
  auto line = output.rfind("RESULT ");
  auto at = line == std::string::npos ? line : output.find(" " + name + "=", line);
  if (at == std::string::npos) return "";
  at += name.size() + 2;
  return output.substr(at, output.find_first_of(" \n", at) - at);
}

std::uint64_t number(const std::string& output, const std::string& name) {
  return std::stoull("0" + field(output, name));
}

}  // namespace

Checker::Checker() : root_(fs::read_symlink("/proc/self/exe").parent_path().parent_path()) {
  fs::path mcmini = root_ / "bin/mcmini";
  if (access(mcmini.c_str(), X_OK) != 0)
    throw Mistake("there is no " + mcmini.string() + "; build it: cmake --build --preset release");
}

bool Checker::isBuilt(const std::string& program) const {
  return fs::exists(root_ / "test/programs/gcc-O2" / program);
}

Measured Checker::check(const Row& row) const {
  return check(row.program, row.arguments, row.options);
}

Measured Checker::check(const std::string& program, const std::vector<std::string>& arguments,
                        const std::vector<std::string>& options) const {
  if (!isBuilt(program))
    throw Mistake("the program " + program + " is not built; build it: cmake --build --preset release");
  fs::path saved = fs::temp_directory_path() / ("mcmini-experiments." + std::to_string(getpid()));
  std::vector<std::string> words = {root_ / "bin/mcmini", "-q", "--no-simplify", "-o", saved};
  for (const std::string& option : options) {
    bool isFile = option.ends_with(".so");
    words.push_back(isFile ? (root_ / "test/policies" / option).string() : option);
  }
  words.push_back(root_ / "test/programs/gcc-O2" / program);
  words.insert(words.end(), arguments.begin(), arguments.end());
  double before = processorTimeOfChildren();
  auto start = std::chrono::steady_clock::now();
  std::string output = outputOf(words);
  Measured measured;
  measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  measured.processorTime = processorTimeOfChildren() - before;
  fs::remove_all(saved);
  measured.verdict = field(output, "verdict");
  if (measured.verdict.empty()) throw Mistake("mcmini cannot check " + program + ":\n" + output);
  measured.complete = field(output, "complete");
  measured.bugs = number(output, "bugs");
  measured.traces = number(output, "traces");
  measured.transitions = number(output, "transitions");
  return measured;
}

}  // namespace mcmini::experiments
