#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "libmcmini/announce.h"
#include "libmcmini/destroyed.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(pthread_rwlock_init)
MCMINI_WRAPS(pthread_rwlock_destroy)
MCMINI_WRAPS(pthread_rwlock_rdlock)
MCMINI_WRAPS(pthread_rwlock_tryrdlock)
MCMINI_WRAPS(pthread_rwlock_timedrdlock)
MCMINI_WRAPS(pthread_rwlock_clockrdlock)
MCMINI_WRAPS(pthread_rwlock_wrlock)
MCMINI_WRAPS(pthread_rwlock_trywrlock)
MCMINI_WRAPS(pthread_rwlock_timedwrlock)
MCMINI_WRAPS(pthread_rwlock_clockwrlock)
MCMINI_WRAPS(pthread_rwlock_unlock)

namespace mcmini {

namespace {

// As glibc encodes it in the lock's first word: a writer has it, and how many readers do.
constexpr uint32_t kWriterBit = 2;
constexpr uint32_t kReaderShift = 3;

bool hasWriter(const pthread_rwlock_t* lock) {
  return (lock->__data.__readers & kWriterBit) != 0;
}

bool hasReaders(const pthread_rwlock_t* lock) {
  return lock->__data.__readers >> kReaderShift != 0;
}

bool prefersWriters(const pthread_rwlock_t* lock) {
  return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

// What an initialization leaves as it is for good.
bool isGarbage(const pthread_rwlock_t* lock) {
  const auto& data = lock->__data;
  constexpr unsigned char kNothing[sizeof data.__pad1] = {};
  return data.__flags > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP || data.__pad2 != 0 ||
         (data.__pad3 | data.__pad4) != 0 || (data.__shared & ~1) != 0 ||
         memcmp(data.__pad1, kNothing, sizeof kNothing) != 0;
}

// The C library leaves the memory of a lock that is destroyed as it was; the mark tells it from one that was
// initialized there anew.
constexpr unsigned long kDestroyed = ~0UL;

void markDestroyed(pthread_rwlock_t* lock) {
  rememberDestroyed(lock, 0);
  lock->__data.__pad2 = kDestroyed;
}

// The same for the model, which knows the ones that a call has destroyed. The memory of such a one may have
// become another, without a call.
bool isGarbageFor(const pthread_rwlock_t* lock) {
  if (destroyedAs(lock) == nullptr) return isGarbage(lock);
  if (lock->__data.__pad2 == kDestroyed) return false;
  if (isGarbage(lock)) return true;
  reviveDestroyed(lock);
  return false;
}

// What the program called, and until when it wants to wait.
struct Call {
  const void* site;
  OpName name = "";
  clockid_t clock = CLOCK_REALTIME;
  const timespec* deadline = nullptr;
};

int64_t announceOn(pthread_rwlock_t* lock, OpName name, const Call& call, bool doesNotWait,
                   bool takes = false) {
  bool invalid = call.deadline != nullptr && !isValid(*call.deadline);
  bool garbage = isGarbageFor(lock);
  return announce({.name = name,
                   .call = call.name,
                   .object = asObject(lock),
                   .args = {lock->__data.__flags, invalid ? 1U : 0U, (garbage ? 1U : 0U) | lifeOf(lock) << 2},
                   .site = call.site,
                   .doesNotWait = doesNotWait && !garbage && destroyedAs(lock) == nullptr,
                   .takes = takes});
}

// Writers that others let pass are known to the model only.
int read(pthread_rwlock_t* lock, OpName name, const Call& call) {
  int64_t granted = announceOn(lock, name, call, !hasWriter(lock) && !prefersWriters(lock), true);
  if (granted == kQueued) granted = announceOn(lock, "rwlock.acquire_read", call, false);
  if (granted != 0) return timed(granted, call.clock, call.deadline);
  int result = real::pthread_rwlock_tryrdlock(lock);
  if (result != 0) disagree("pthread_rwlock_tryrdlock", result);
  return 0;
}

int write(pthread_rwlock_t* lock, OpName name, const Call& call) {
  int64_t granted = announceOn(lock, name, call, !hasWriter(lock) && !hasReaders(lock), true);
  if (granted == kQueued) granted = announceOn(lock, "rwlock.acquire_write", call, false);
  if (granted != 0) return timed(granted, call.clock, call.deadline);
  int result = real::pthread_rwlock_trywrlock(lock);
  if (result != 0) disagree("pthread_rwlock_trywrlock", result);
  return 0;
}

int waitAndWrite(pthread_rwlock_t* lock, OpName name, const Call& call) {
  if (prefersWriters(lock)) announceOn(lock, "rwlock.want_write", call, true);
  return write(lock, name, call);
}

bool isKnown(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock,
                                      const pthread_rwlockattr_t* attributes) noexcept {
  if (controlled())
    announce({.name = "rwlock.init",
              .object = asObject(lock),
              .site = __builtin_return_address(0),
              .doesNotWait = true});
  forgetDestroyed(lock);
  return real::pthread_rwlock_init(lock, attributes);
}

MCMINI_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_rwlock_destroy(lock);
  announceOn(lock, "rwlock.destroy", {__builtin_return_address(0)}, true);
  int result = real::pthread_rwlock_destroy(lock);
  markDestroyed(lock);
  return result;
}

MCMINI_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_rwlock_rdlock(lock);
  return read(lock, "rwlock.rdlock", {__builtin_return_address(0)});
}

MCMINI_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_rwlock_tryrdlock(lock);
  return read(lock, "rwlock.tryrdlock", {__builtin_return_address(0)});
}

MCMINI_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  if (!controlled()) return real::pthread_rwlock_timedrdlock(lock, time);
  return read(lock, "rwlock.timedrdlock", {__builtin_return_address(0), "", CLOCK_REALTIME, time});
}

MCMINI_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* time) noexcept {
  if (!controlled()) return real::pthread_rwlock_clockrdlock(lock, clock, time);
  if (!isKnown(clock)) return EINVAL;
  return read(lock, "rwlock.timedrdlock",
              {__builtin_return_address(0), "pthread_rwlock_clockrdlock", clock, time});
}

MCMINI_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_rwlock_wrlock(lock);
  return waitAndWrite(lock, "rwlock.wrlock", {__builtin_return_address(0)});
}

MCMINI_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_rwlock_trywrlock(lock);
  return write(lock, "rwlock.trywrlock", {__builtin_return_address(0)});
}

MCMINI_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  if (!controlled()) return real::pthread_rwlock_timedwrlock(lock, time);
  return waitAndWrite(lock, "rwlock.timedwrlock",
                      {__builtin_return_address(0), "pthread_rwlock_timedwrlock", CLOCK_REALTIME, time});
}

MCMINI_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* time) noexcept {
  if (!controlled()) return real::pthread_rwlock_clockwrlock(lock, clock, time);
  if (!isKnown(clock)) return EINVAL;
  return waitAndWrite(lock, "rwlock.timedwrlock",
                      {__builtin_return_address(0), "pthread_rwlock_clockwrlock", clock, time});
}

MCMINI_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_rwlock_unlock(lock);
  bool held = hasWriter(lock) || hasReaders(lock);
  announceOn(lock, "rwlock.unlock", {__builtin_return_address(0)}, held);
  return real::pthread_rwlock_unlock(lock);
}
