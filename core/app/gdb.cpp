#include "core/app/gdb.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/target/debuggee.hpp"
#include "core/target/program.hpp"

namespace mcmini {

namespace {

using nlohmann::json;

/// The first line that a command prints.
std::string firstLineOf(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "re");
  if (pipe == nullptr) return "";
  std::array<char, 256> line{};
  std::string text = std::fgets(line.data(), line.size(), pipe) == nullptr ? "" : line.data();
  pclose(pipe);
  return text.substr(0, text.find('\n'));
}

std::string forShell(const std::string& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

json toJson(const Walkthrough::Changes& changes) {
  json next = json::array();
  for (const Walkthrough::Next& one : changes.next)
    next.push_back({{"thread", one.thread},
                    {"call", one.call},
                    {"place", one.place},
                    {"can", one.can},
                    {"ended", one.ended},
                    {"waitsFor", one.waitsFor}});
  json objects = json::array();
  for (const Walkthrough::Object& object : changes.objects) objects.push_back({object.name, object.state});
  return {{"next", next}, {"objects", objects}};
}

/// The thread whose pending operation is the mistake; -1 if it is another kind of bug.
std::int64_t offender(const Finding& finding) {
  bool isOffence = finding.kind == Finding::Kind::Misuse && !finding.leftBehind && !finding.events.empty();
  return isOffence ? static_cast<std::int64_t>(index(finding.events.back().transition->thread())) : -1;
}

json toJson(const GdbWalk& walk) {
  json steps = json::array();
  for (const Walkthrough::Step& step : walk.words.steps)
    steps.push_back({{"thread", step.thread},
                     {"call", step.call},
                     {"place", step.place},
                     {"result", step.result},
                     {"stops", step.stops}});
  json positions = json::array();
  for (const Walkthrough::Changes& changes : walk.words.positions) positions.push_back(toJson(changes));
  return {{"headline", walk.headline},
          {"kind", word(walk.finding.kind)},
          {"offender", offender(walk.finding)},
          {"threads", walk.words.threads},
          {"steps", steps},
          {"positions", positions},
          {"debugInfo", walk.hasDebugInfo}};
}

int inheritedFile(const std::string& text) {
  int file = memfd_create("mcmini-gdb", 0);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::system_error(errno, std::generic_category(), "cannot write to memory");
  return file;
}

/// A thread that was interrupted after a step, or got stuck there, does not come to an operation by itself.
std::vector<DebuggedStep> debuggedSteps(const Finding& finding) {
  std::vector<DebuggedStep> steps;
  std::map<ThreadId, std::size_t> latest;
  std::vector<Step> plan = stepsOf(finding.events, finding.events.size());
  for (const Event& event : finding.events) {
    if (event.doomed) continue;
    const Transition& t = *event.transition;
    if (auto before = latest.find(t.thread()); before != latest.end())
      steps[before->second].comesToNone = t.involuntary();
    latest[t.thread()] = steps.size();
    steps.push_back({plan[steps.size()], t.op()});
  }
  if (finding.kind == Finding::Kind::Stuck && !steps.empty()) steps.back().comesToNone = true;
  return steps;
}

}  // namespace

std::string findGdb() {
  const char* path = std::getenv("PATH");
  std::string gdb = findProgram("gdb", path == nullptr ? "" : path);
  if (access(gdb.c_str(), X_OK) != 0)
    throw UsageError("gdb is not installed, but mcmini gdb needs it. Install it: apt install gdb");
  std::string answer = firstLineOf(forShell(gdb) + " -nx -batch -ex 'python print(\"yes\")' 2>/dev/null");
  if (answer != "yes")
    throw UsageError(
        gdb +
        " cannot run scripts in Python, which mcmini gdb needs. Install the usual gdb (apt install "
        "gdb), not a minimal one.");
  return gdb;
}

std::vector<std::string> gdbCommand(const std::string& gdb, const GdbWalk& walk,
                                    const ForkTargetOptions& program, const wire::Settings& settings,
                                    const Installation& installation) {
  int prepared = prepareDebuggee(program, settings, debuggedSteps(walk.finding));
  json data = toJson(walk);
  data["wrapper"] = {std::filesystem::read_symlink("/proc/self/exe").string(), kStartUnderGdb,
                     std::to_string(prepared)};
  data["hidden"] = json::array({program.preload.string()});
  for (const auto& half : program.alsoPreload) data["hidden"].push_back(half.string());
  int file = inheritedFile(data.dump(-1, ' ', false, json::error_handler_t::replace));
  std::string script = fmt::format(
      "python import sys; sys.dont_write_bytecode = True; sys.path.insert(0, {}); import mcmini_gdb; "
      "mcmini_gdb.begin({})",
      json(installation.shared.string()).dump(), file);
  return {gdb, "-q", "-ex", script, program.program.string()};
}

void becomeGdb(const std::vector<std::string>& command) {
  setenv("SHELL", "/bin/sh", 1);  // with it gdb starts the program, which gets the user's own again
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  std::fflush(nullptr);
  execv(command.front().c_str(), words.data());
  throw UsageError(command.front() + " cannot be started: " + std::strerror(errno) + ".");
}

int startUnderGdb(int argc, const char* const* argv) {
  if (argc < 5) return static_cast<int>(ExitCode::Usage);
  becomeDebuggee(
      {std::atoi(argv[2]), static_cast<std::uint32_t>(std::atoi(argv[3])), std::atoi(argv[4]) != 0});
  fmt::print(stderr, "mcmini: the program cannot be started: {}\n", std::strerror(errno));
  return static_cast<int>(ExitCode::CannotCheck);
}

}  // namespace mcmini
