#include "core/target/template_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/target/fork_target.hpp"

namespace mcmini {

namespace {

constexpr int kHighDescriptor = 500;  // out of the way of what the program opens

std::vector<std::string> environmentFor(const ForkTargetOptions& options, int channel, int preload,
                                        bool bindNow) {
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
  return environment;
}

std::vector<char*> pointersTo(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A process as a shell would start it: nothing of the checker's signal handling.
void resetSignals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
}

void arrangeDescriptors(int input, int capture) {
  int null = open("/dev/null", O_RDWR);
  dup2(input >= 0 ? input : null, STDIN_FILENO);
  dup2(capture, STDOUT_FILENO);
  dup2(capture, STDERR_FILENO);
  if (null > STDERR_FILENO) close(null);
}

}  // namespace

pid_t startTemplate(const ForkTargetOptions& options, const Channel& channel, TemplateStart how) {
  pid_t checker = getpid();
  int inheritedChannel = fcntl(channel.descriptor(), F_DUPFD, kHighDescriptor);
  int inheritedCapture = fcntl(how.capture, F_DUPFD_CLOEXEC, kHighDescriptor);
  int preload = open(options.preload.c_str(), O_RDONLY | O_CLOEXEC);
  if (preload < 0)
    throw TargetError(options.preload.string() +
                      " cannot be read, but mcmini needs it. Install mcmini anew.");
  int inheritedPreload = fcntl(preload, F_DUPFD, kHighDescriptor);
  close(preload);
  auto environment = environmentFor(options, inheritedChannel, inheritedPreload, how.bindNow);
  std::vector<std::string> arguments = options.arguments;
  arguments.insert(arguments.begin(), options.program.string());
  auto argv = pointersTo(arguments);
  auto envp = pointersTo(environment);
  fcntl(inheritedCapture, F_SETFD, 0);
  channel->settings.captureFd = inheritedCapture;
  channel->settings.preloadFd = inheritedPreload;
  channel->settings.boundNow = how.bindNow ? 1 : 0;

  pid_t process = fork();
  if (process == 0) {
    setpgid(0, 0);  // so that Ctrl-C is for the checker only
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != checker) _exit(127);
    resetSignals();
    arrangeDescriptors(options.standardInput, how.capture);
    rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // The same addresses next time; where it is forbidden they just differ.
    personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
    execve(options.program.c_str(), argv.data(), envp.data());
    dprintf(STDERR_FILENO, "%s\n", std::strerror(errno));
    _exit(127);
  }
  int error = errno;
  close(inheritedChannel);
  close(inheritedCapture);
  close(inheritedPreload);
  if (process < 0) throw std::system_error(error, std::generic_category(), "cannot start a process");
  return process;
}

void endTemplate(pid_t process) {
  if (process <= 0 || waitpid(process, nullptr, WNOHANG) != 0) return;
  kill(process, wire::kQuitSignal);
  for (int i = 0; i < 200; ++i) {
    if (waitpid(process, nullptr, WNOHANG) != 0) return;
    usleep(i < 100 ? 200 : 10'000);
  }
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

std::string howItEnded(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, WNOHANG) == 0) return "";
  if (WIFSIGNALED(status))
    return std::string("was ended by SIG") + sigabbrev_np(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace mcmini
