#include "core/app/gdb.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "core/app/environment.hpp"
#include "core/app/replay.hpp"
#include "core/report/finding_facts.hpp"
#include "core/report/shell_word.hpp"
#include "core/report/walkthrough.hpp"
#include "core/target/debuggee.hpp"
#include "core/target/elf_file.hpp"
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

json toJson(const Finding& finding, const Symbolizer& symbolizer) {
  Walkthrough walk = walkthroughOf(finding, symbolizer);
  FindingFacts facts(finding, symbolizer);
  json steps = json::array();
  for (const Walkthrough::Step& step : walk.steps)
    steps.push_back({{"thread", step.thread},
                     {"call", step.call},
                     {"place", step.place},
                     {"result", step.result},
                     {"stops", step.stops}});
  json positions = json::array();
  for (const Walkthrough::Changes& changes : walk.positions) positions.push_back(toJson(changes));
  return {{"headline", facts.title() + ": " + facts.sentence()},
          {"kind", word(finding.kind)},
          {"offender", offender(finding)},
          {"threads", walk.threads},
          {"steps", steps},
          {"positions", positions}};
}

int inheritedFile(const std::string& text) {
  int file = memfd_create("mcmini-gdb", 0);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw TargetError(cannot("write to memory", errno));
  return file;
}

/// A thread that was interrupted after a step, or got stuck there, does not come to an operation by itself.
DebuggedRun debuggedRun(const Finding& finding) {
  DebuggedRun run;
  std::vector<DebuggedStep>& steps = run.steps;
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
  for (const TransitionPtr& t : finding.pending)
    if (auto before = latest.find(t->thread()); before != latest.end() && t->involuntary())
      steps[before->second].comesToNone = true;
  if (finding.kind == Finding::Kind::Stuck)
    (steps.empty() ? run.comesToNone : steps.back().comesToNone) = true;
  return run;
}

/// The gdb of this machine, of which it is known that it can run our commands.
std::string findGdb() {
  std::string gdb = findProgram("gdb", environmentVariable("PATH"));
  if (access(gdb.c_str(), X_OK) != 0)
    throw UsageError("gdb is not installed, and mcmini gdb needs it. Install it: apt install gdb");
  std::string answer = firstLineOf(shellWord(gdb) + " -nx -batch -ex 'python print(\"yes\")' 2>/dev/null");
  if (answer != "yes")
    throw UsageError(gdb +
                     " has no Python, which mcmini gdb needs. Install the complete gdb: apt install gdb");
  return gdb;
}

void requireTracing() {
  pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status == 0) return;
  throw TargetError(
      "debuggers are not allowed here (ptrace: Operation not permitted), so gdb cannot run the program. A "
      "container needs the right for it: docker run --cap-add=SYS_PTRACE");
}

/// Writes down, in memory, all that gdb and the program under it need; it goes away with gdb. Returns the
/// command line of gdb.
std::vector<std::string> gdbCommand(const std::string& gdb, Session& session, const Finding& finding) {
  const ForkTargetOptions& launch = session.launch();
  DebuggedRun run = debuggedRun(finding);
  run.promoted = session.target().promoted();
  int prepared = prepareDebuggee(launch, session.target().settings(), run);
  json data = toJson(finding, session.symbolizer());
  data["debugInfo"] = ElfFile(launch.program).hasSection(".debug_info");
  data["wrapper"] = {std::filesystem::read_symlink("/proc/self/exe").string(), kStartUnderGdb,
                     std::to_string(prepared)};
  data["hidden"] = json::array();
  for (const auto& half : launch.alsoPreload) data["hidden"].push_back(half.string());
  int file = inheritedFile(data.dump(-1, ' ', false, json::error_handler_t::replace));
  std::string begin = fmt::format(
      "python import sys; sys.dont_write_bytecode = True; sys.path.insert(0, {}); import mcmini_gdb; "
      "mcmini_gdb.begin({})",
      json(session.installation().shared.string()).dump(), file);
  return {gdb, "-q", "-ex", begin, std::filesystem::absolute(launch.program).string()};
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  setenv("SHELL", "/bin/sh", 1);  // with it gdb starts the program, which gets the user's own again
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  std::fflush(nullptr);
  execv(command.front().c_str(), words.data());
  throw UsageError(command.front() + " cannot be started: " + std::strerror(errno) + ".");
}

}  // namespace

ExitCode debug(const Options& options) {
  if (options.arguments.empty())
    throw UsageError("which bug? mcmini gdb FILE|N; mcmini replay lists those that are saved.");
  std::string gdb = findGdb();
  requireTracing();
  Options quietly = options;
  quietly.pin = false;  // gdb would have to stay there, too
  std::filesystem::path here = std::filesystem::current_path();
  std::vector<std::string> command;
  ExitCode code =
      reproduce(quietly, options.arguments.front(), [&](Session& session, const Finding& finding) {
        command = gdbCommand(gdb, session, finding);
        return ExitCode::Bug;
      });
  if (command.empty()) return code;
  std::filesystem::current_path(here);
  bool dashes = options.arguments.size() > 1 && options.arguments[1] == "--";
  command.insert(command.end(), options.arguments.begin() + (dashes ? 2 : 1), options.arguments.end());
  become(command);
}

int startUnderGdb(int argc, const char* const* argv) {
  if (argc < 5) return static_cast<int>(ExitCode::Usage);
  becomeDebuggee(
      {std::atoi(argv[2]), static_cast<std::uint32_t>(std::atoi(argv[3])), std::atoi(argv[4]) != 0});
  fmt::print(stderr, "mcmini: the program cannot be started: {}\n", std::strerror(errno));
  return static_cast<int>(ExitCode::CannotCheck);
}

}  // namespace mcmini
