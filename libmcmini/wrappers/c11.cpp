// C11 threads. In glibc they are pthreads under other names, and so they are here.

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

#include "libmcmini/announce.h"
#include "libmcmini/caller.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/once.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(thrd_create)
MCMINI_WRAPS(thrd_join)
MCMINI_WRAPS(thrd_exit)
MCMINI_WRAPS(thrd_sleep)
MCMINI_WRAPS(thrd_yield)

static_assert(sizeof(thrd_t) == sizeof(pthread_t));
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && alignof(mtx_t) == alignof(pthread_mutex_t));
static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t) && alignof(cnd_t) == alignof(pthread_cond_t));
static_assert(sizeof(tss_t) == sizeof(pthread_key_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t));

namespace mcmini {

namespace {

int translated(int result) {
  switch (result) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

pthread_mutex_t* asPthread(mtx_t* mutex) {
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* asPthread(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

// The start routine returns an int where a thread of POSIX returns a pointer. Both come back in the same
// register, of which thrd_join reads an int again: the routine can be started as it is, and is what the
// report names the thread by.
MCMINI_EXPORT int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  if (!controlled()) return real::thrd_create(thread, routine, argument);
  CalledFrom here(__builtin_return_address(0), "thrd_create");
  auto* started = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(routine));
  return translated(pthread_create(thread, nullptr, started, argument));
}

MCMINI_EXPORT int thrd_join(thrd_t thread, int* result) {
  if (!controlled()) return real::thrd_join(thread, result);
  CalledFrom here(__builtin_return_address(0), "thrd_join");
  void* value = nullptr;
  int error = pthread_join(thread, &value);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return translated(error);
}

MCMINI_EXPORT int thrd_detach(thrd_t thread) {
  CalledFrom here(__builtin_return_address(0), "thrd_detach");
  return translated(pthread_detach(thread));
}

MCMINI_EXPORT void thrd_exit(int result) {
  if (!controlled()) real::thrd_exit(result);
  pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
}

MCMINI_EXPORT int thrd_sleep(const timespec* duration, timespec* remaining) {
  if (!controlled()) return real::thrd_sleep(duration, remaining);
  constexpr int kFailed = -2;
  if (!isValidDuration(*duration)) return kFailed;
  sleepFor(Sleep::Thrd, *duration, __builtin_return_address(0));
  return 0;
}

MCMINI_EXPORT void thrd_yield() {
  if (!controlled()) return real::thrd_yield();
  yieldTo(Yield::Thrd, __builtin_return_address(0));
}

MCMINI_EXPORT int mtx_init(mtx_t* mutex, int type) {
  if ((type & ~(mtx_timed | mtx_recursive)) != 0) return thrd_error;
  CalledFrom here(__builtin_return_address(0), "mtx_init");
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  bool recursive = (type & mtx_recursive) != 0;
  pthread_mutexattr_settype(&attributes, recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return translated(pthread_mutex_init(asPthread(mutex), &attributes));
}

MCMINI_EXPORT int mtx_lock(mtx_t* mutex) {
  CalledFrom here(__builtin_return_address(0), "mtx_lock");
  return translated(pthread_mutex_lock(asPthread(mutex)));
}

MCMINI_EXPORT int mtx_trylock(mtx_t* mutex) {
  CalledFrom here(__builtin_return_address(0), "mtx_trylock");
  return translated(pthread_mutex_trylock(asPthread(mutex)));
}

MCMINI_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  CalledFrom here(__builtin_return_address(0), "mtx_timedlock");
  return translated(pthread_mutex_timedlock(asPthread(mutex), deadline));
}

MCMINI_EXPORT int mtx_unlock(mtx_t* mutex) {
  CalledFrom here(__builtin_return_address(0), "mtx_unlock");
  return translated(pthread_mutex_unlock(asPthread(mutex)));
}

MCMINI_EXPORT void mtx_destroy(mtx_t* mutex) {
  CalledFrom here(__builtin_return_address(0), "mtx_destroy");
  pthread_mutex_destroy(asPthread(mutex));
}

MCMINI_EXPORT int cnd_init(cnd_t* condition) {
  CalledFrom here(__builtin_return_address(0), "cnd_init");
  return translated(pthread_cond_init(asPthread(condition), nullptr));
}

MCMINI_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  CalledFrom here(__builtin_return_address(0), "cnd_wait");
  return translated(pthread_cond_wait(asPthread(condition), asPthread(mutex)));
}

MCMINI_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  CalledFrom here(__builtin_return_address(0), "cnd_timedwait");
  return translated(pthread_cond_timedwait(asPthread(condition), asPthread(mutex), deadline));
}

MCMINI_EXPORT int cnd_signal(cnd_t* condition) {
  CalledFrom here(__builtin_return_address(0), "cnd_signal");
  return translated(pthread_cond_signal(asPthread(condition)));
}

MCMINI_EXPORT int cnd_broadcast(cnd_t* condition) {
  CalledFrom here(__builtin_return_address(0), "cnd_broadcast");
  return translated(pthread_cond_broadcast(asPthread(condition)));
}

MCMINI_EXPORT void cnd_destroy(cnd_t* condition) {
  CalledFrom here(__builtin_return_address(0), "cnd_destroy");
  pthread_cond_destroy(asPthread(condition));
}

MCMINI_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return translated(pthread_key_create(key, destructor));
}

MCMINI_EXPORT void* tss_get(tss_t key) {
  return pthread_getspecific(key);
}

MCMINI_EXPORT int tss_set(tss_t key, void* value) {
  return translated(pthread_setspecific(key, value));
}

MCMINI_EXPORT void tss_delete(tss_t key) {
  pthread_key_delete(key);
}

MCMINI_EXPORT void call_once(once_flag* flag, void (*routine)()) {
  runOnce(reinterpret_cast<pthread_once_t*>(flag), routine, __builtin_return_address(0), "call_once");
}
