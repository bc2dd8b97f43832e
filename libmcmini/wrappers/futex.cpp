// Futexes, which the program reaches by syscall(): what libstdc++ waits with in std::atomic::wait,
// std::latch, std::counting_semaphore, std::future and the guards of static variables.

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libmcmini/fibers.h"
#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/thread_number.h"
#include "libmcmini/wrappers/process.h"
#include "libmcmini/wrappers/process_id.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(syscall)

namespace mcmini {

namespace {

// The arguments as the kernel names them.
struct FutexCall {
  uint32_t* word;
  int operation;
  uint32_t value;
  long timeout;  // or the second value
  uint32_t* word2;
  uint32_t value3;
  const void* site;

  int command() const { return operation & FUTEX_CMD_MASK; }
  bool isAbsolute() const { return command() == FUTEX_WAIT_BITSET; }
  clockid_t clock() const {
    return (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  }
  const timespec* limit() const { return reinterpret_cast<const timespec*>(timeout); }
  uint32_t mask() const {
    bool given = command() == FUTEX_WAIT_BITSET || command() == FUTEX_WAKE_BITSET;
    return given ? value3 : FUTEX_BITSET_MATCH_ANY;
  }
};

uint32_t looking;  // threads between a comparison and its requeue: they keep others out

long fail(int error) {
  errno = error;
  return -1;
}

int64_t announceOn(const FutexCall& call, OpName name, uint64_t argument, bool doesNotWait,
                   bool goesOn = false) {
  return announce({.name = name,
                   .object = asObject(call.word),
                   .args = {argument},
                   .site = call.site,
                   .doesNotWait = doesNotWait,
                   .goesOn = goesOn});
}

// The thread has its turn, so that nobody changes the word until it has said what it found.
bool holds(const FutexCall& call, uint32_t expected) {
  return __atomic_load_n(call.word, __ATOMIC_SEQ_CST) == expected;
}

void passTime(const FutexCall& call) {
  if (call.isAbsolute())
    letPassUntil(call.clock(), *call.limit());
  else
    letPass(*call.limit());
}

long wait(FutexCall call) {
  bool timed = call.limit() != nullptr;
  if (call.mask() == 0 || (timed && !isValidDuration(*call.limit()))) return fail(EINVAL);
  announceOn(call, "futex.compare", 0, looking == 0);
  if (!holds(call, call.value)) {
    announceOn(call, "futex.differs", 0, true, true);
    return fail(EAGAIN);
  }
  announceOn(call, "futex.enqueue", call.mask(), true, true);
  int64_t result = announceOn(call, "futex.leave", timed ? 1 : 0, false);
  while (result != 0 && result != ETIMEDOUT) {
    call.word = reinterpret_cast<uint32_t*>(result);
    result = announceOn(call, "futex.leave", timed ? 1 : 0, false);
  }
  if (result == 0) return 0;
  passTime(call);
  return fail(ETIMEDOUT);
}

// As the kernel counts: one at least.
uint64_t asCount(int32_t value) {
  return value < 1 ? 1 : static_cast<uint64_t>(value);
}

long wake(const FutexCall& call) {
  if (call.mask() == 0) return fail(EINVAL);
  return announce({.name = "futex.wake",
                   .object = asObject(call.word),
                   .args = {asCount(static_cast<int32_t>(call.value)), call.mask()},
                   .site = call.site});
}

long requeue(const FutexCall& call, bool compares) {
  auto toWake = static_cast<int32_t>(call.value);
  auto toMove = static_cast<int32_t>(call.timeout);
  if (toWake < 0 || toMove < 0) return fail(EINVAL);
  uint64_t counts = static_cast<uint64_t>(toMove) << 32 | static_cast<uint64_t>(toWake);
  Announcement move = {.name = "futex.requeue",
                       .object = asObject(call.word),
                       .args = {asObject(call.word2), counts, compares ? 1U : 0U},
                       .site = call.site};
  if (!compares) return announce(move);
  announceOn(call, "futex.look", 0, false);
  ++looking;
  bool same = holds(call, call.value3);
  if (!same) move.args[1] = 0;
  move.goesOn = true;
  long result = announce(move);
  --looking;
  return same ? result : fail(EAGAIN);
}

// No plugin models these: the checker says so, rather than let them block for real.
constexpr OpName kUnmodelled[] = {"futex.fd",        "futex.wake_op",       "futex.lock_pi",
                                  "futex.unlock_pi", "futex.trylock_pi",    "futex.wait_requeue_pi",
                                  "futex.lock_pi2",  "futex.cmp_requeue_pi"};
constexpr int kUnmodelledCommands[] = {FUTEX_FD,        FUTEX_WAKE_OP,       FUTEX_LOCK_PI,
                                       FUTEX_UNLOCK_PI, FUTEX_TRYLOCK_PI,    FUTEX_WAIT_REQUEUE_PI,
                                       FUTEX_LOCK_PI2,  FUTEX_CMP_REQUEUE_PI};

long futex(const FutexCall& call) {
  if (asObject(call.word) % sizeof(uint32_t) != 0) return fail(EINVAL);
  if (call.word == nullptr) return fail(EFAULT);
  switch (call.command()) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return wait(call);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return wake(call);
    case FUTEX_REQUEUE:
      return requeue(call, false);
    case FUTEX_CMP_REQUEUE:
      return requeue(call, true);
    default:
      for (size_t i = 0; i < sizeof kUnmodelledCommands / sizeof(int); ++i)
        if (kUnmodelledCommands[i] == call.command()) announceOn(call, kUnmodelled[i], 0, false);
      return fail(ENOSYS);
  }
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT long syscall(long number, ...) noexcept {
  long a[6];
  va_list list;
  va_start(list, number);
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (controlled() && number == SYS_futex)
    return futex({.word = reinterpret_cast<uint32_t*>(a[0]),
                  .operation = static_cast<int>(a[1]),
                  .value = static_cast<uint32_t>(a[2]),
                  .timeout = a[3],
                  .word2 = reinterpret_cast<uint32_t*>(a[4]),
                  .value3 = static_cast<uint32_t>(a[5]),
                  .site = __builtin_return_address(0)});
  if (number == SYS_sched_yield) return sched_yield();
  if (number == SYS_getpid) return getpid();
  if (number == SYS_getppid) return getppid();
  if (number == SYS_gettid) return shownTid();
  if (number == SYS_exit && controlled()) endThread();
  if (number == SYS_exit_group) exitAtOnce(__builtin_return_address(0), static_cast<int>(a[0]));
  if (number == SYS_kill) return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
  if (number == SYS_tkill) return tgkill(getpid(), static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
  if (number == SYS_tgkill)
    return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
  if (number == SYS_getrandom)
    return getrandom(reinterpret_cast<void*>(a[0]), static_cast<size_t>(a[1]), static_cast<unsigned>(a[2]));
  return real::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
