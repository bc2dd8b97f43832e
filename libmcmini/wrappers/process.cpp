#include "libmcmini/wrappers/process.h"

#include <alloca.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libmcmini/budget.h"
#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/join.h"
#include "libmcmini/wrappers/signals.h"

extern "C" int __cxa_atexit(void (*handler)(void*), void* argument, void* library) noexcept;
extern "C" int __cxa_at_quick_exit(void (*handler)(void*), void* library) noexcept;
MCMINI_WRAPS(_exit)
MCMINI_WRAPS(exit)
MCMINI_WRAPS(quick_exit)
MCMINI_WRAPS(on_exit)
MCMINI_WRAPS(__cxa_atexit)
MCMINI_WRAPS(__cxa_at_quick_exit)
MCMINI_WRAPS(fork)
MCMINI_WRAPS(_Fork)
MCMINI_WRAPS(daemon)
MCMINI_WRAPS(posix_spawn)
MCMINI_WRAPS(posix_spawnp)
MCMINI_WRAPS(popen)
MCMINI_WRAPS(execve)
MCMINI_WRAPS(execv)
MCMINI_WRAPS(execvp)
MCMINI_WRAPS(execvpe)

namespace mcmini {

namespace {

enum class How : uint64_t { Return, Exit, ImmediateExit, QuickExit };

int (*programMain)(int, char**, char**);
// The threads that run the handlers.
uint32_t exiting = kUncontrolled;
uint32_t exitingQuickly = kUncontrolled;
How how = How::Return;
const void* exitSite;
const void* quickSite;
int quickStatus;
bool haveHandlers;  // the program, or a library of its own

void announceEnd(int status, How way, const void* site) {
  if (!controlled()) return;
  if (hadShortage()) channel->notes.outOfMemory = 1;
  announce({.name = "process.exit",
            .args = {static_cast<uint64_t>(static_cast<uint32_t>(status)), static_cast<uint64_t>(way)},
            .site = site});
}

[[noreturn]] void endProcess(int status, How way, const void* site) {
  announceEnd(status, way, site);
  real::_exit(status);
  __builtin_unreachable();
}

// Registered before anything of the program, so it runs after everything that exit does: the process's last
// step.
void lastHandler(int status, void*) {
  announceEnd(status, how, exitSite);
}
void lastQuickHandler(void*) {
  announceEnd(quickStatus, How::QuickExit, quickSite);
}

// Who comes first runs the handlers. Nobody else does who has been waited for.
void announceHandlers(const void* site) {
  if (haveHandlers && unjoinedThreads() != 0)
    announce({.name = "process.handlers", .site = site, .doesNotWait = true});
}

// Where another thread got there first, the C library has no handlers left.
void takePart(uint32_t& first, int status, How way, const void* site) {
  announceHandlers(site);
  if (first != kUncontrolled && first != self) endProcess(status, way, site);
  first = self;
}

[[noreturn]] void leaveProcess(int status, How way, const void* site) {
  if (controlled()) {
    takePart(exiting, status, way, site);
    how = way;
    exitSite = site;
  }
  real::exit(status);
  __builtin_unreachable();
}

// Threads that are still there may use what main had on its stack: the end of the process does not take its
// place.
int watchMain(int argc, char** argv, char** environment) {
  int status = programMain(argc, argv, environment);
  constexpr size_t kFrame = 64 * 1024;
  if (unjoinedThreads() != 0) {
    void* frame = alloca(kFrame);
    asm volatile("" : : "r"(frame) : "memory");
  }
  leaveProcess(status, How::Return, nullptr);
}

// When it ends, there is a signal.
void tellOfChild() {
  if (channel == nullptr) return;
  channel->notes.forked = 1;
  tellOfSignal(SIGCHLD);
}

}  // namespace

void exitFrom(const void* site, int status) {
  leaveProcess(status, How::Exit, site);
}

void exitAtOnce(const void* site, int status) {
  endProcess(status, How::ImmediateExit, site);
}

void watchEndOfProcess() {
  real::on_exit(lastHandler, nullptr);
  real::__cxa_at_quick_exit(lastQuickHandler, nullptr);
  haveHandlers = false;
}

int (*watchedMain(int (*program)(int, char**, char**)))(int, char**, char**) {
  programMain = program;
  return channel == nullptr ? program : watchMain;
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT void exit(int status) noexcept {
  exitFrom(__builtin_return_address(0), status);
}

MCMINI_EXPORT void _exit(int status) {
  exitAtOnce(__builtin_return_address(0), status);
}

MCMINI_EXPORT void _Exit(int status) noexcept {
  exitAtOnce(__builtin_return_address(0), status);
}

MCMINI_EXPORT int on_exit(void (*handler)(int, void*), void* argument) noexcept {
  haveHandlers = true;
  return real::on_exit(handler, argument);
}

MCMINI_EXPORT int __cxa_atexit(void (*handler)(void*), void* argument, void* library) noexcept {
  haveHandlers = true;
  return real::__cxa_atexit(handler, argument, library);
}

MCMINI_EXPORT int __cxa_at_quick_exit(void (*handler)(void*), void* library) noexcept {
  haveHandlers = true;
  return real::__cxa_at_quick_exit(handler, library);
}

MCMINI_EXPORT void quick_exit(int status) noexcept {
  if (controlled()) {
    takePart(exitingQuickly, status, How::QuickExit, __builtin_return_address(0));
    quickSite = __builtin_return_address(0);
    quickStatus = status;
  }
  real::quick_exit(status);
  __builtin_unreachable();
}

// A process that the program forks is not watched; neither is what it becomes by exec.
MCMINI_EXPORT pid_t fork() noexcept {
  tellOfChild();
  pid_t pid = real::fork();
  if (pid == 0) disconnect();
  return pid;
}

MCMINI_EXPORT pid_t vfork() noexcept {
  if (channel != nullptr) channel->notes.vforked = 1;
  return fork();
}

MCMINI_EXPORT pid_t _Fork() noexcept {
  if (self != kUncontrolled) tellOfChild();
  pid_t pid = real::_Fork();
  if (pid == 0 && self != kUncontrolled) disconnect();
  return pid;
}

// All that comes after it is done by another process; this one ends within the C library.
MCMINI_EXPORT int daemon(int keepsDirectory, int keepsFiles) noexcept {
  if (channel != nullptr) channel->notes.forked = 1;
  return real::daemon(keepsDirectory, keepsFiles);
}

MCMINI_EXPORT int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* files,
                              const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
  tellOfSignal(SIGCHLD);
  return real::posix_spawn(pid, path, files, attributes, argv, envp);
}

MCMINI_EXPORT int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* files,
                               const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
  tellOfSignal(SIGCHLD);
  return real::posix_spawnp(pid, file, files, attributes, argv, envp);
}

MCMINI_EXPORT FILE* popen(const char* command, const char* mode) {
  tellOfSignal(SIGCHLD);
  return real::popen(command, mode);
}

namespace {

// The call only returns if it fails.
template <class Call>
int becomeAnother(Call call) {
  if (!controlled()) return call();
  uint32_t before = channel->notes.execed;
  channel->notes.execed = 1;
  int result = call();
  channel->notes.execed = before;
  return result;
}

// Of the list of a variadic exec call that begins with `first`, and of its end.
size_t countArguments(const char* first, va_list list) {
  size_t count = 1;
  for (const char* next = first; next != nullptr; ++count) next = va_arg(list, const char*);
  return count;
}

}  // namespace

MCMINI_EXPORT int execve(const char* path, char* const argv[], char* const envp[]) noexcept {
  return becomeAnother([&] { return real::execve(path, argv, envp); });
}

MCMINI_EXPORT int execv(const char* path, char* const argv[]) noexcept {
  return becomeAnother([&] { return real::execv(path, argv); });
}

MCMINI_EXPORT int execvp(const char* file, char* const argv[]) noexcept {
  return becomeAnother([&] { return real::execvp(file, argv); });
}

MCMINI_EXPORT int execvpe(const char* file, char* const argv[], char* const envp[]) noexcept {
  return becomeAnother([&] { return real::execvpe(file, argv, envp); });
}

// argv is as long as the list, which remains at what follows its end.
#define MCMINI_LIST(FIRST)                                                    \
  va_list list;                                                               \
  va_start(list, FIRST);                                                      \
  size_t count = countArguments(FIRST, list);                                 \
  va_end(list);                                                               \
  auto** argv = static_cast<char**>(__builtin_alloca(count * sizeof(char*))); \
  argv[0] = const_cast<char*>(FIRST);                                         \
  va_start(list, FIRST);                                                      \
  for (size_t i = 1; i < count; ++i) argv[i] = va_arg(list, char*)

MCMINI_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  MCMINI_LIST(first);
  va_end(list);
  return execv(path, argv);
}

MCMINI_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  MCMINI_LIST(first);
  va_end(list);
  return execvp(file, argv);
}

MCMINI_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  MCMINI_LIST(first);
  char* const* envp = va_arg(list, char* const*);
  va_end(list);
  return execve(path, argv, envp);
}
