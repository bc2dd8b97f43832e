// Each run is another process, and each has the same number to itself: programs seed their random numbers
// with it.

#include "libmcmini/wrappers/process_id.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libmcmini/fibers.h"
#include "libmcmini/gate.h"
#include "libmcmini/raw_syscall.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/handlers.h"
#include "libmcmini/wrappers/signals.h"

MCMINI_WRAPS(kill)
MCMINI_WRAPS(sigqueue)
MCMINI_WRAPS(tgkill)
MCMINI_WRAPS(setpgid)
MCMINI_WRAPS(prlimit)
MCMINI_WRAPS(sched_getscheduler)
MCMINI_WRAPS(sched_setscheduler)
MCMINI_WRAPS(sched_getparam)
MCMINI_WRAPS(sched_setparam)
MCMINI_WRAPS(getpgid)
MCMINI_WRAPS(getsid)
MCMINI_WRAPS(getpriority)
MCMINI_WRAPS(setpriority)
MCMINI_WRAPS(sched_setaffinity)
MCMINI_WRAPS(timer_create)

namespace mcmini {

namespace {

constexpr pid_t kNumber = 0x40000001;  // larger than that of any process

pid_t leftRun;  // in a process that a run has forked: the run; else 0

pid_t ownNumber() {
  return static_cast<pid_t>(rawSyscall(SYS_getpid));
}

// A signal to the process goes to any thread that does not block it; to the sender, if it does not.
bool goesToSender(int signal) {
  if (channel->highest > 0) tellOfSignal(signal);
  return !blocks(signal);
}

int sendToAll(pid_t process, int signal) {
  Receiving now(From::Threads);
  bool isToSender = controlled() && process == ownNumber() && goesToSender(signal);
  return isToSender ? raise(signal) : real::kill(process, signal);
}

int queueToAll(pid_t process, int signal, const sigval& value) {
  Receiving now(From::Threads);
  bool isToSender = controlled() && process == ownNumber() && goesToSender(signal);
  if (!isToSender) return real::sigqueue(process, signal, value);
  int error = pthread_sigqueue(pthread_self(), signal, value);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

uint32_t numberOfTid(pid_t tid) {
  for (uint32_t i = 0; i <= channel->highest; ++i)
    if (channel->boxes[i].tid == static_cast<uint32_t>(tid)) return i;
  return kUncontrolled;
}

}  // namespace

void leaveRun(pid_t run) {
  leftRun = run;
}

pid_t meantProcess(pid_t number) {
  if (number != kNumber) return number;
  return leftRun != 0 ? leftRun : ownNumber();
}

pid_t shownTid() {
  if (!controlled()) return static_cast<pid_t>(rawSyscall(SYS_gettid));
  return self == 0 ? getpid() : ownTid();
}

}  // namespace mcmini

using namespace mcmini;

// A process that the program has forked has its own.
MCMINI_EXPORT pid_t getpid() noexcept {
  pid_t number = ownNumber();
  return controlled() && number == channel->pid ? kNumber : number;
}

MCMINI_EXPORT pid_t getppid() noexcept {
  auto parent = static_cast<pid_t>(rawSyscall(SYS_getppid));
  return leftRun != 0 && parent == leftRun ? kNumber : parent;
}

MCMINI_EXPORT pid_t gettid() noexcept {
  return shownTid();
}

MCMINI_EXPORT int kill(pid_t process, int signal) noexcept {
  return sendToAll(meantProcess(process), signal);
}

MCMINI_EXPORT int sigqueue(pid_t process, int signal, const sigval value) noexcept {
  return queueToAll(meantProcess(process), signal, value);
}

MCMINI_EXPORT int tgkill(pid_t process, pid_t thread, int signal) {
  pid_t meant = meantProcess(thread);
  bool isToOther =
      meantProcess(process) == ownNumber() && meant != static_cast<pid_t>(rawSyscall(SYS_gettid));
  if (isToOther) tellOfSignal(signal);
  if (isToOther && controlled() && keepFor(numberOfTid(meant), signal, SI_TKILL, {})) return 0;
  Receiving now(From::Threads);
  return real::tgkill(meantProcess(process), meant, signal);
}

MCMINI_EXPORT int setpgid(pid_t process, pid_t group) noexcept {
  return real::setpgid(meantProcess(process), meantProcess(group));
}

MCMINI_EXPORT int prlimit(pid_t process, __rlimit_resource limit, const rlimit* wanted,
                          rlimit* before) noexcept {
  return real::prlimit(meantProcess(process), limit, wanted, before);
}

MCMINI_EXPORT int sched_getscheduler(pid_t process) noexcept {
  return real::sched_getscheduler(meantProcess(process));
}

MCMINI_EXPORT int sched_setscheduler(pid_t process, int policy, const sched_param* wanted) noexcept {
  return real::sched_setscheduler(meantProcess(process), policy, wanted);
}

MCMINI_EXPORT int sched_getparam(pid_t process, sched_param* found) noexcept {
  return real::sched_getparam(meantProcess(process), found);
}

MCMINI_EXPORT int sched_setparam(pid_t process, const sched_param* wanted) noexcept {
  return real::sched_setparam(meantProcess(process), wanted);
}

MCMINI_EXPORT pid_t getpgid(pid_t process) noexcept {
  return real::getpgid(meantProcess(process));
}

MCMINI_EXPORT pid_t getsid(pid_t process) noexcept {
  return real::getsid(meantProcess(process));
}

MCMINI_EXPORT int getpriority(__priority_which_t which, id_t who) noexcept {
  return real::getpriority(which, static_cast<id_t>(meantProcess(static_cast<pid_t>(who))));
}

MCMINI_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  return real::setpriority(which, static_cast<id_t>(meantProcess(static_cast<pid_t>(who))), priority);
}

MCMINI_EXPORT int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) noexcept {
  return real::sched_setaffinity(meantProcess(process), size, set);
}

MCMINI_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  if (event == nullptr) tellOfSignal(SIGALRM);
  if (event != nullptr && event->sigev_notify == SIGEV_THREAD && controlled()) channel->signals.handled = 1;
  if (event != nullptr && (event->sigev_notify == SIGEV_SIGNAL || event->sigev_notify == SIGEV_THREAD_ID))
    tellOfSignal(event->sigev_signo);
  if (event == nullptr || event->sigev_notify != SIGEV_THREAD_ID)
    return real::timer_create(clock, event, timer);
  sigevent meant = *event;
  meant._sigev_un._tid = meantProcess(meant._sigev_un._tid);
  return real::timer_create(clock, &meant, timer);
}
