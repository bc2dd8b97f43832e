#include <pthread.h>

#include "libmcmini/announce.h"
#include "libmcmini/real.h"

MCMINI_WRAPS(pthread_mutex_trylock)
MCMINI_WRAPS(pthread_mutex_init)
MCMINI_WRAPS(pthread_mutex_lock)
MCMINI_WRAPS(pthread_mutex_unlock)
MCMINI_WRAPS(pthread_mutex_destroy)

namespace mcmini {

namespace {

// As glibc encodes it, in mutexes and in attributes alike.
uint64_t typeOf(const pthread_mutex_t* mutex) {
  return static_cast<uint64_t>(mutex->__data.__kind & 3);
}

uint64_t typeOf(const pthread_mutexattr_t* attributes) {
  int type = PTHREAD_MUTEX_DEFAULT;
  if (attributes != nullptr) pthread_mutexattr_gettype(attributes, &type);
  return static_cast<uint64_t>(type);
}

constexpr bool isPlain(uint64_t type) {
  return type == PTHREAD_MUTEX_NORMAL || type == PTHREAD_MUTEX_ADAPTIVE_NP;
}

int64_t announceOn(pthread_mutex_t* mutex, OpName name, uint64_t type, const void* site,
                   bool doesNotWait = false) {
  return announce(
      {.name = name, .object = asObject(mutex), .args = {type}, .site = site, .doesNotWait = doesNotWait});
}

// Locking a free mutex does not wait, whatever its type. What is locked by the thread itself is left to the
// model.
bool isFree(const pthread_mutex_t* mutex) {
  return mutex->__data.__lock == 0;
}

int takeReally(pthread_mutex_t* mutex, int64_t granted) {
  if (granted != 0) return static_cast<int>(granted);
  int result = real::pthread_mutex_trylock(mutex);
  if (result != 0) disagree("pthread_mutex_trylock", result);
  return 0;
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  if (controlled()) announceOn(mutex, "mutex.init", typeOf(attributes), __builtin_return_address(0), true);
  return real::pthread_mutex_init(mutex, attributes);
}

MCMINI_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!controlled()) return real::pthread_mutex_lock(mutex);
  return takeReally(
      mutex, announceOn(mutex, "mutex.lock", typeOf(mutex), __builtin_return_address(0), isFree(mutex)));
}

MCMINI_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!controlled()) return real::pthread_mutex_trylock(mutex);
  return takeReally(
      mutex, announceOn(mutex, "mutex.trylock", typeOf(mutex), __builtin_return_address(0), isFree(mutex)));
}

MCMINI_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!controlled()) return real::pthread_mutex_unlock(mutex);
  uint64_t type = typeOf(mutex);
  int64_t result = announceOn(mutex, "mutex.unlock", type, __builtin_return_address(0), isPlain(type));
  return result != 0 ? static_cast<int>(result) : real::pthread_mutex_unlock(mutex);
}

MCMINI_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!controlled()) return real::pthread_mutex_destroy(mutex);
  int64_t result =
      announceOn(mutex, "mutex.destroy", typeOf(mutex), __builtin_return_address(0), isFree(mutex));
  return result != 0 ? static_cast<int>(result) : real::pthread_mutex_destroy(mutex);
}
