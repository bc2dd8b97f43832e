#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "libmcmini/announce.h"
#include "libmcmini/cancel.h"
#include "libmcmini/destroyed.h"
#include "libmcmini/fibers.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/mutex.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(pthread_cond_init)
MCMINI_WRAPS(pthread_cond_wait)
MCMINI_WRAPS(pthread_cond_timedwait)
MCMINI_WRAPS(pthread_cond_clockwait)
MCMINI_WRAPS(pthread_cond_signal)
MCMINI_WRAPS(pthread_cond_broadcast)
MCMINI_WRAPS(pthread_cond_destroy)
MCMINI_WRAPS(pthread_mutex_unlock)

// The real condition variable is never waited on: who is woken is the model's to say.

namespace mcmini {

namespace {

// A condition variable that nobody really uses keeps what its initialization wrote: nothing but its clock and
// whether it is shared.
bool isGarbage(const pthread_cond_t* cond) {
  pthread_cond_t plain = {};
  plain.__data.__wrefs = cond->__data.__wrefs & 3;
  return memcmp(&plain, cond, sizeof plain) != 0;  // NOLINT(bugprone-suspicious-memory-comparison): all of it
}

// The same for the model, which knows the ones that a call has destroyed. The memory of such a one may have
// become another, without a call.
bool isGarbageFor(const pthread_cond_t* cond) {
  constexpr unsigned kDestroyed = 4;
  if (destroyedAs(cond) == nullptr) return isGarbage(cond);
  if ((cond->__data.__wrefs & kDestroyed) != 0) return false;
  if (isGarbage(cond)) return true;
  reviveDestroyed(cond);
  return false;
}

// What is garbage must not be touched by the C library: it could wait for ever.
int64_t announceOn(pthread_cond_t* cond, OpName name, const void* site) {
  bool garbage = isGarbageFor(cond);
  return announce({.name = name,
                   .object = asObject(cond),
                   .args = {0, 0, (garbage ? 1U : 0U) | lifeOf(cond) << 2},
                   .site = site,
                   .doesNotWait = !garbage && destroyedAs(cond) == nullptr});
}

// As the C library knows it. If not, what the thread is about to do is a mistake, which the model tells.
bool isMine(const pthread_mutex_t* mutex) {
  return mutex->__data.__owner == ownTid();
}

int wait(pthread_cond_t* cond, pthread_mutex_t* mutex, OpName wake, OpName call, const void* site) {
  uint64_t flags = cancelDisabled() ? 1U : 0U;
  bool garbage = isGarbageFor(cond);
  Announcement half = {.name = "cond.enqueue",
                       .call = call,
                       .object = asObject(cond),
                       .args = {asObject(mutex), flags, (garbage ? 1U : 0U) | lifeOf(cond) << 2},
                       .site = site,
                       .doesNotWait = !garbage && destroyedAs(cond) == nullptr && isMine(mutex)};
  announce(half);
  int result = real::pthread_mutex_unlock(mutex);
  if (result != 0) disagree("pthread_mutex_unlock", result);
  half.name = wake;
  half.doesNotWait = false;
  int64_t woken = announce(half);
  int64_t taken = (woken & kQueued) != 0 ? awaitTurn(mutex, site) : 0;
  auto plain = static_cast<int>(woken & kPlainResult);
  bool isLost = taken == ENOTRECOVERABLE || plain == ENOTRECOVERABLE;
  result = isLost ? 0 : takeReally(mutex);
  isLost = isLost || (plain == ECANCELED && result == ENOTRECOVERABLE);
  if (result != 0 && result != EOWNERDEAD && !isLost) disagree("pthread_mutex_trylock", result);
  if (plain == ECANCELED) endByCancel();
  return taken != 0 ? static_cast<int>(taken) : plain;
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) noexcept {
  if (controlled())
    announce({.name = "cond.init",
              .object = asObject(cond),
              .site = __builtin_return_address(0),
              .doesNotWait = true});
  forgetDestroyed(cond);
  return real::pthread_cond_init(cond, attributes);
}

MCMINI_EXPORT int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  if (!controlled()) return real::pthread_cond_wait(cond, mutex);
  return wait(cond, mutex, "cond.wake", "", __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* time) {
  if (!controlled()) return real::pthread_cond_timedwait(cond, mutex, time);
  if (!isValid(*time)) return EINVAL;
  clockid_t clock = (cond->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  int result = wait(cond, mutex, "cond.timedwake", "pthread_cond_timedwait", __builtin_return_address(0));
  return timed(result, clock, time);
}

MCMINI_EXPORT int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                                         const timespec* time) {
  if (!controlled()) return real::pthread_cond_clockwait(cond, mutex, clock, time);
  if (!isValid(*time) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return EINVAL;
  int result = wait(cond, mutex, "cond.timedwake", "pthread_cond_clockwait", __builtin_return_address(0));
  return timed(result, clock, time);
}

MCMINI_EXPORT int pthread_cond_signal(pthread_cond_t* cond) noexcept {
  if (!controlled()) return real::pthread_cond_signal(cond);
  return static_cast<int>(announceOn(cond, "cond.signal", __builtin_return_address(0)));
}

MCMINI_EXPORT int pthread_cond_broadcast(pthread_cond_t* cond) noexcept {
  if (!controlled()) return real::pthread_cond_broadcast(cond);
  return static_cast<int>(announceOn(cond, "cond.broadcast", __builtin_return_address(0)));
}

MCMINI_EXPORT int pthread_cond_destroy(pthread_cond_t* cond) noexcept {
  if (controlled()) {
    announceOn(cond, "cond.destroy", __builtin_return_address(0));
    rememberDestroyed(cond, 0);
  }
  return real::pthread_cond_destroy(cond);
}
