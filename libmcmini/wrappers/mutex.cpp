#include <errno.h>
#include <pthread.h>

#include "libmcmini/announce.h"
#include "libmcmini/destroyed.h"
#include "libmcmini/raw_syscall.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/mutex.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(pthread_mutex_trylock)
MCMINI_WRAPS(pthread_mutex_init)
MCMINI_WRAPS(pthread_mutex_lock)
MCMINI_WRAPS(pthread_mutex_timedlock)
MCMINI_WRAPS(pthread_mutex_clocklock)
MCMINI_WRAPS(pthread_mutex_unlock)
MCMINI_WRAPS(pthread_mutex_destroy)
MCMINI_WRAPS(pthread_mutex_consistent)

namespace mcmini {

namespace {

// What the model wants to know of a mutex, as glibc encodes it: its type, whether it is robust, and whether
// its memory cannot be that of a mutex.
struct Kind {
  uint64_t type;
  uint64_t robust;
  uint64_t garbage;
  uint64_t noTime = 0;  // of a call with a time limit: that is none
};

constexpr int kTypeBits = 3;
constexpr int kRobustBit = 16;
constexpr int kCeilingBit = 64;                   // its lock word holds a priority, even if nobody has it
constexpr int kKnownBits = 0xff | 0x100 | 0x200;  // type, robust, priority, shared, elision

Kind kindOf(const pthread_mutex_t* mutex) {
  int kind = mutex->__data.__kind;
  bool untouched = ((kind & kCeilingBit) != 0 || mutex->__data.__lock == 0) && mutex->__data.__owner == 0;
  bool garbage = (kind & ~kKnownBits) != 0 || (kind >= 0 && !untouched && mutex->__data.__nusers == 0);
  return {static_cast<uint64_t>(kind & kTypeBits), (kind & kRobustBit) != 0 ? 1U : 0U, garbage ? 1U : 0U};
}

Kind kindOf(const pthread_mutexattr_t* attributes) {
  int type = PTHREAD_MUTEX_DEFAULT;
  int robust = PTHREAD_MUTEX_STALLED;
  if (attributes != nullptr) {
    pthread_mutexattr_gettype(attributes, &type);
    pthread_mutexattr_getrobust(attributes, &robust);
  }
  return {static_cast<uint64_t>(type), robust == PTHREAD_MUTEX_ROBUST ? 1U : 0U, 0};
}

bool isPlain(const Kind& kind) {
  return kind.robust == 0 && (kind.type == PTHREAD_MUTEX_NORMAL || kind.type == PTHREAD_MUTEX_ADAPTIVE_NP);
}

// Locking a free mutex does not wait, whatever its type. What is locked by the thread itself is left to the
// model.
bool isFree(const pthread_mutex_t* mutex) {
  return mutex->__data.__lock == 0;
}

int64_t announceOn(pthread_mutex_t* mutex, OpName name, const Kind& kind, const void* site, bool doesNotWait,
                   OpName call = "", bool takes = false) {
  return announce({.name = name,
                   .call = call,
                   .object = asObject(mutex),
                   .args = {kind.type, kind.robust, kind.garbage | kind.noTime << 1 | lifeOf(mutex) << 2},
                   .site = site,
                   .doesNotWait = doesNotWait && kind.garbage == 0 && destroyedAs(mutex) == nullptr,
                   .takes = takes});
}

// One that a call has destroyed is to the model what it was before, unless its memory has become another
// mutex, without a call.
Kind kindFor(const pthread_mutex_t* mutex) {
  const uint64_t* before = destroyedAs(mutex);
  if (before == nullptr) return kindOf(mutex);
  constexpr int kDestroyed = -1;
  if (mutex->__data.__kind == kDestroyed) return {*before & kTypeBits, *before >> 2, 0};
  Kind kind = kindOf(mutex);
  if (kind.garbage == 0) reviveDestroyed(mutex);
  return kind;
}

// A mutex with a priority ceiling is refused to a thread that may not have that priority, before anybody
// looks whether it is free. So would be another one with the same ceiling.
int refusal(const pthread_mutex_t* mutex) {
  if ((mutex->__data.__kind & kCeilingBit) == 0) return 0;
  int ceiling = 0;
  pthread_mutexattr_t attributes;
  pthread_mutex_t another;
  pthread_mutex_getprioceiling(mutex, &ceiling);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_setprioceiling(&attributes, ceiling);
  real::pthread_mutex_init(&another, &attributes);
  int result = real::pthread_mutex_trylock(&another);
  if (result == 0) real::pthread_mutex_unlock(&another);
  return result;
}

int lock(pthread_mutex_t* mutex, OpName name, const void* site, OpName call = "", bool noTime = false) {
  Kind kind = kindFor(mutex);
  kind.noTime = noTime ? 1 : 0;
  if (int refused = kind.garbage == 0 && destroyedAs(mutex) == nullptr ? refusal(mutex) : 0; refused != 0)
    return refused;
  int64_t granted = announceOn(mutex, name, kind, site, isFree(mutex), call, true);
  if (granted == kQueued) granted = awaitTurn(mutex, site);
  if (granted != 0 && granted != EOWNERDEAD) return static_cast<int>(granted);
  int result = takeReally(mutex);
  if (result != granted) disagree("pthread_mutex_trylock", result);
  return result;
}

int timedLock(pthread_mutex_t* mutex, OpName call, clockid_t clock, const timespec* deadline,
              const void* site) {
  return timed(lock(mutex, "mutex.timedlock", site, call, !isValid(*deadline)), clock, deadline);
}

}  // namespace

int takeReally(pthread_mutex_t* mutex) {
  int result = real::pthread_mutex_trylock(mutex);
  // The kernel gives a dead owner's mutex away when the thread is really gone, a moment after its last
  // operation.
  for (int i = 0; kindOf(mutex).robust != 0 && result == EBUSY && i < 100000; ++i) {
    rawSyscall(SYS_sched_yield);
    result = real::pthread_mutex_trylock(mutex);
  }
  return result;
}

int64_t awaitTurn(pthread_mutex_t* mutex, const void* site) {
  return announceOn(mutex, "mutex.acquire", kindOf(mutex), site, false);
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  if (controlled(mutex))
    announceOn(mutex, "mutex.init", kindOf(attributes), __builtin_return_address(0), true);
  forgetDestroyed(mutex);
  return real::pthread_mutex_init(mutex, attributes);
}

MCMINI_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!controlled(mutex)) return real::pthread_mutex_lock(mutex);
  return lock(mutex, "mutex.lock", __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!controlled(mutex)) return real::pthread_mutex_trylock(mutex);
  return lock(mutex, "mutex.trylock", __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) noexcept {
  if (!controlled(mutex)) return real::pthread_mutex_timedlock(mutex, time);
  return timedLock(mutex, "", CLOCK_REALTIME, time, __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const timespec* time) noexcept {
  if (!controlled(mutex)) return real::pthread_mutex_clocklock(mutex, clock, time);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return timedLock(mutex, "pthread_mutex_clocklock", clock, time, __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!controlled(mutex)) return real::pthread_mutex_unlock(mutex);
  Kind kind = kindOf(mutex);
  int64_t result = announceOn(mutex, "mutex.unlock", kind, __builtin_return_address(0), isPlain(kind));
  return result != 0 ? static_cast<int>(result) : real::pthread_mutex_unlock(mutex);
}

MCMINI_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!controlled(mutex)) return real::pthread_mutex_destroy(mutex);
  int64_t result =
      announceOn(mutex, "mutex.destroy", kindFor(mutex), __builtin_return_address(0), isFree(mutex));
  if (result != 0) return static_cast<int>(result);
  Kind kind = kindOf(mutex);
  rememberDestroyed(mutex, kind.type | kind.robust << 2);
  return real::pthread_mutex_destroy(mutex);
}

MCMINI_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  if (!controlled(mutex)) return real::pthread_mutex_consistent(mutex);
  int64_t result = announceOn(mutex, "mutex.consistent", kindFor(mutex), __builtin_return_address(0), false);
  return result != 0 ? static_cast<int>(result) : real::pthread_mutex_consistent(mutex);
}
