#include "core/target/template_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/target/fork_target.hpp"
#include "core/target/program_start.hpp"

namespace mcmini {

namespace {

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
  int inheritedChannel = inheritedAs(F_DUPFD, channel.descriptor());
  int inheritedCapture = inheritedAs(F_DUPFD_CLOEXEC, how.capture);
  int inheritedPreload = openPreload(options);
  ProgramStart start = startOf(options, inheritedChannel, inheritedPreload, how.bindNow);
  fcntl(inheritedCapture, F_SETFD, 0);
  channel->settings.captureFd = inheritedCapture;
  channel->settings.preloadFd = inheritedPreload;
  channel->settings.boundNow = how.bindNow ? 1 : 0;

  pid_t process = fork();
  if (process == 0) {
    setpgid(0, 0);  // so that Ctrl-C is for the checker only
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != checker) _exit(127);
    arrangeDescriptors(options.standardInput, how.capture);
    become(start);
    dprintf(STDERR_FILENO, "%s\n", std::strerror(errno));
    _exit(127);
  }
  int error = errno;
  close(inheritedChannel);
  close(inheritedCapture);
  close(inheritedPreload);
  if (process < 0) throw TargetError(cannot("start a process", error));
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
