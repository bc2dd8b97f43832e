#include "core/target/program_start.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "core/target/fork_target.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

namespace {

std::vector<char*> pointersTo(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Nothing of the checker's signal handling.
void resetSignals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
}

constexpr rlim_t kHighDescriptor = 500;
constexpr rlim_t kInherited = 8;  // with some to spare

}  // namespace

int inheritedAs(int how, int descriptor) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  rlim_t lowest = std::max<rlim_t>(STDERR_FILENO + 1, files.rlim_cur - std::min(files.rlim_cur, kInherited));
  int copy = fcntl(descriptor, how, static_cast<int>(std::min(kHighDescriptor, lowest)));
  if (copy < 0) throw TargetError(cannot("keep a file open", errno));
  return copy;
}

int openPreload(const ForkTargetOptions& options) {
  int preload = open(options.preload.c_str(), O_RDONLY | O_CLOEXEC);
  if (preload < 0 && errno == EMFILE) throw TargetError(cannot("open a file", errno));
  if (preload < 0)
    throw TargetError(options.preload.string() +
                      " cannot be read, but mcmini needs it. Install mcmini anew.");
  int inherited = inheritedAs(F_DUPFD, preload);
  close(preload);
  return inherited;
}

ProgramStart startOf(const ForkTargetOptions& options, int channel, int preload, bool bindNow) {
  std::vector<std::string> environment;
  constexpr std::string_view kPreload = "LD_PRELOAD=";
  constexpr std::string_view kTunables = "GLIBC_TUNABLES=";
  std::string userTunables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    if (text.starts_with(kTunables)) userTunables = text.substr(kTunables.size());
    if (!text.starts_with(kPreload) && !text.starts_with(kTunables)) environment.emplace_back(text);
  }
  std::string path = options.preload.string();
  // The loader takes a blank or a colon for the end of a name.
  auto isOneName = [](const std::string& name) { return name.find_first_of(" :") == std::string::npos; };
  if (!isOneName(path)) path = "/proc/self/fd/" + std::to_string(preload);
  for (const auto& more : options.alsoPreload)
    if (isOneName(more.string())) path += ":" + more.string();
  environment.push_back("LD_PRELOAD=" + path +
                        (options.userPreload.empty() ? "" : ":" + options.userPreload));
  if (bindNow) environment.push_back("LD_BIND_NOW=1");
  environment.push_back(std::string(wire::kPreloadVariable) + "=" + options.userPreload);
  // Restartable sequences cost each thread and each switch between threads something, and nobody needs them.
  environment.push_back("GLIBC_TUNABLES=glibc.pthread.rseq=0" +
                        (userTunables.empty() ? "" : ":" + userTunables));
  environment.push_back(std::string(wire::kTunablesVariable) + "=" + userTunables);
  environment.push_back(std::string(wire::kChannelVariable) + "=" + std::to_string(channel));
  ProgramStart start{options.program.string(), options.arguments, std::move(environment)};
  start.arguments.insert(start.arguments.begin(), start.program);
  return start;
}

void become(const ProgramStart& start) {
  auto argv = pointersTo(start.arguments);
  auto envp = pointersTo(start.environment);
  resetSignals();
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // The same addresses next time; where it is forbidden they just differ.
  personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
  execve(start.program.c_str(), argv.data(), envp.data());
}

}  // namespace mcmini
