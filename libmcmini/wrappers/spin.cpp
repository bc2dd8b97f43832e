#include <pthread.h>

#include "libmcmini/announce.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/early.h"

MCMINI_WRAPS(pthread_spin_init)
MCMINI_WRAPS(pthread_spin_lock)
MCMINI_WRAPS(pthread_spin_trylock)
MCMINI_WRAPS(pthread_spin_unlock)
MCMINI_WRAPS(pthread_spin_destroy)

namespace mcmini {

namespace {

MCMINI_LARGE EarlyObjects early;

int64_t announceOn(pthread_spinlock_t* lock, OpName name, const void* site, bool doesNotWait) {
  return announce({.name = name,
                   .object = asObject(lock),
                   .args = {early.find(lock)},
                   .site = site,
                   .doesNotWait = doesNotWait});
}

// What is free differs between processors: a lock that was just initialized is.
bool isFree(const pthread_spinlock_t* lock) {
  pthread_spinlock_t fresh;
  real::pthread_spin_init(&fresh, PTHREAD_PROCESS_PRIVATE);
  return *lock == fresh;
}

int take(pthread_spinlock_t* lock, OpName name, const void* site) {
  int64_t granted = announceOn(lock, name, site, isFree(lock));
  if (granted != 0) return static_cast<int>(granted);
  int result = real::pthread_spin_trylock(lock);
  if (result != 0) disagree("pthread_spin_trylock", result);
  return 0;
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  if (controlled())
    announceOn(lock, "spin.init", __builtin_return_address(0), true);
  else
    early.note(lock, 0);
  return real::pthread_spin_init(lock, shared);
}

MCMINI_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_spin_lock(lock);
  return take(lock, "spin.lock", __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!controlled()) return real::pthread_spin_trylock(lock);
  return take(lock, "spin.trylock", __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (controlled()) announceOn(lock, "spin.unlock", __builtin_return_address(0), true);
  return real::pthread_spin_unlock(lock);
}

MCMINI_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (controlled()) announceOn(lock, "spin.destroy", __builtin_return_address(0), true);
  return real::pthread_spin_destroy(lock);
}
