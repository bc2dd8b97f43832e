// The template: loaded and stopped before anything of the program has run, it forks one process for each run.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libmcmini/budget.h"
#include "libmcmini/code_pages.h"
#include "libmcmini/debugged.h"
#include "libmcmini/ending.h"
#include "libmcmini/fibers.h"
#include "libmcmini/gate.h"
#include "libmcmini/guards.h"
#include "libmcmini/large.h"
#include "libmcmini/raw_syscall.h"
#include "libmcmini/real.h"
#include "libmcmini/runtime.h"
#include "libmcmini/thread_number.h"
#include "libmcmini/wrappers/process.h"

namespace mcmini {

namespace {

alignas(16) MCMINI_LARGE char signalStack[32 * 1024];
alignas(16) MCMINI_LARGE char spareSignalStack[32 * 1024];
MCMINI_LARGE char outputBuffer[BUFSIZ];
MCMINI_LARGE char inputBuffer[BUFSIZ];

// What more threads than that need is set up when they come: it costs each fork a little.
constexpr uint32_t kExpected = 64;

wire::Channel* openChannel() {
  const char* number = getenv(wire::kChannelVariable);
  if (number == nullptr) return nullptr;
  int fd = atoi(number);
  auto map = [fd](int kind, void* where) {
    void* memory = mmap(where, sizeof(wire::Channel), PROT_READ | PROT_WRITE, kind, fd, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<wire::Channel*>(memory);
  };
  wire::Channel* opened = map(MAP_SHARED, nullptr);
  if (opened != nullptr && opened->onOperation == wire::Channel::kDebugger)
    opened = map(MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, opened);
  close(fd);
  return opened;
}

void restore(const char* name, const char* savedAs) {
  const char* value = getenv(savedAs);
  if (value != nullptr && *value != 0)
    setenv(name, value, 1);
  else
    unsetenv(name);
  unsetenv(savedAs);
}

// Programs that the target starts are not the checker's business.
void restoreEnvironment() {
  unsetenv(wire::kChannelVariable);
  restore("LD_PRELOAD", wire::kPreloadVariable);
  restore("GLIBC_TUNABLES", wire::kTunablesVariable);
  if (channel->settings.boundNow != 0) unsetenv("LD_BIND_NOW");
}

// Which thread prints first must not change what the heap looks like, and a run that is ended by force must
// have shown its lines.
void fixStandardBuffers() {
  setvbuf(stdout, outputBuffer, _IOLBF, sizeof outputBuffer);
  setvbuf(stdin, inputBuffer, _IOFBF, sizeof inputBuffer);
}

uint32_t countThreads() {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return 1;
  uint32_t count = 0;
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.' ? 1 : 0;
  closedir(tasks);
  return count;
}

// What the template does after each fork leaves its memory alone as far as possible: each page that it
// writes to is copied for the run.
int await(pid_t process, int* status, int flags) {
  return static_cast<int>(rawSyscall(SYS_wait4, process, reinterpret_cast<long>(status), flags));
}

// Those that the kernel tells of: it may leave out some while others end.
bool killChildren() {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[4096];
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size < 0) return false;
  text[size] = 0;
  char* next = text;
  for (long pid; (pid = strtol(next, &next, 10)) > 0 && *next == ' ';)  // the last one may be cut off
    kill(static_cast<pid_t>(pid), SIGKILL);
  return true;
}

// Kills what is left of a run: processes that it started and that have no other parent any more. Until they
// have ended, they may start others.
__attribute__((noinline)) void killOrphans() {
  constexpr timespec kMoment = {0, 100'000};
  while (true) {
    pid_t reaped = await(-1, nullptr, WNOHANG);
    if (reaped > 0) continue;
    if (reaped < 0 || !killChildren()) return;
    rawSyscall(SYS_nanosleep, reinterpret_cast<long>(&kMoment), 0);
  }
}

void onQuit(int) {
  self = kUncontrolled;  // it may be a fiber that is just being made
  killOrphans();
  _exit(0);
}

void* doNothing(void*) {
  return nullptr;
}

// What the first thread of a process has to set up, and the code that a thread needs, is there before the
// fork.
void warmUp() {
  constexpr size_t kStack = size_t{128} * 1024;
  void* stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kStack);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, doNothing, nullptr) == 0) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(stack, kStack);
}

void takeOver() {
  listenForProbes();
  watchEndOfProcess();
  pthread_atfork(nullptr, nullptr, disconnect);
  findRuntime();
  findGuards();
  fixStandardBuffers();
  close(channel->settings.preloadFd);
}

void becomeTemplate() {
  struct sigaction action = {};
  action.sa_handler = onQuit;
  sigaction(wire::kQuitSignal, &action, nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, wire::kQuitSignal);
  if (getppid() != channel->settings.checkerPid) _exit(0);
  useSignalStack(signalStack, sizeof signalStack);
  giveSignalStack(0, spareSignalStack, sizeof spareSignalStack);
  chooseFibers();
  watchForCrashes();
  takeOver();
  warmUp();
  keepCodeMapped();
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  close(null);
}

void becomeFirstThread() {
  lseek(STDIN_FILENO, 0, SEEK_SET);
  watchAllocations();
  self = 0;
  wire::Mailbox& box = channel->boxes[0];
  box.state = wire::Mailbox::kRunning;
  channel->running = 0;
  channel->pid = static_cast<pid_t>(rawSyscall(SYS_getpid));
  box.tid = static_cast<uint32_t>(channel->pid);
}

void becomeRun() {
  signal(wire::kQuitSignal, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (channel->capture != 0) {
    dup2(channel->settings.captureFd, STDOUT_FILENO);
    dup2(channel->settings.captureFd, STDERR_FILENO);
  }
  close(channel->settings.captureFd);
  becomeFirstThread();
}

// A debugger sees crashes for itself, unless a thread is to stop where it crashes.
void becomeDebugged() {
  useSignalStack(signalStack, sizeof signalStack);
  takeOver();
  for (uint32_t i = 0; i < channel->planned; ++i)
    if (channel->steps[i].plan.last != 0) {
      watchForCrashes();
      break;
    }
  expectThreads(0);
  becomeFirstThread();
  beginDebuggedRun();
}

int reap(pid_t pid) {
  int status = 0;
  while (await(pid, &status, 0) == -EINTR) {
  }
  if (await(-1, nullptr, WNOHANG) != -ECHILD) killOrphans();
  return status;
}

// Returns in the process of each run; the template itself never leaves.
void serve() {
  channel->notes.threadsBeforeMain = countThreads() > 1 ? 1 : 0;
  becomeTemplate();
  expectThreads(0);
  channel->helloSize = sizeof(wire::Channel);
  channel->checker.ring();
  for (uint32_t done = 0;; ++done) {
    while (__atomic_load_n(&channel->run, __ATOMIC_ACQUIRE) == done) channel->fork.await(nullptr);
    pid_t pid = _Fork();
    if (pid == 0) return becomeRun();
    channel->status = pid < 0 ? -1 : reap(pid);
    expectThreads(channel->highest < kExpected ? channel->highest : kExpected);
    __atomic_store_n(&channel->ended, done + 1, __ATOMIC_RELEASE);
    channel->checker.ring();
  }
}

}  // namespace

}  // namespace mcmini

using MainFunction = int(int, char**, char**);
extern "C" int __libc_start_main(MainFunction* program, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*rtldFini)(), void* stackEnd);
MCMINI_WRAPS(__libc_start_main)

MCMINI_EXPORT int __libc_start_main(MainFunction* program, int argc, char** argv, void (*init)(),
                                    void (*fini)(), void (*rtldFini)(), void* stackEnd) {
  using namespace mcmini;
  stackTop = mainStackTop = static_cast<const char*>(stackEnd);
  channel = openChannel();
  if (channel != nullptr) {
    restoreEnvironment();
    setMemoryLimit(channel->settings.memoryLimit);
    if (channel->onOperation == wire::Channel::kDebugger)
      becomeDebugged();
    else
      serve();
  }
  return real::__libc_start_main(watchedMain(program), argc, argv, init, fini, rtldFini, stackEnd);
}
