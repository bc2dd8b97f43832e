#include <pthread.h>

#include "libmcmini/announce.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/early.h"

MCMINI_WRAPS(pthread_barrier_init)
MCMINI_WRAPS(pthread_barrier_wait)
MCMINI_WRAPS(pthread_barrier_destroy)

// The real barrier is never waited at: who meets whom is the model's to say.

namespace mcmini {

namespace {

MCMINI_LARGE EarlyObjects early;

int64_t announceOn(pthread_barrier_t* barrier, OpName name, uint64_t argument, const void* site,
                   bool doesNotWait) {
  return announce({.name = name,
                   .object = asObject(barrier),
                   .args = {early.find(barrier), argument},
                   .site = site,
                   .doesNotWait = doesNotWait});
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) noexcept {
  int result = real::pthread_barrier_init(barrier, attributes, count);
  if (result != 0) return result;
  if (controlled())
    announceOn(barrier, "barrier.init", count, __builtin_return_address(0), true);
  else
    early.note(barrier, count);
  return 0;
}

MCMINI_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!controlled()) return real::pthread_barrier_wait(barrier);
  const void* site = __builtin_return_address(0);
  announceOn(barrier, "barrier.arrive", 0, site, true);
  return static_cast<int>(announceOn(barrier, "barrier.leave", 0, site, false));
}

MCMINI_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (controlled()) announceOn(barrier, "barrier.destroy", 0, __builtin_return_address(0), false);
  return real::pthread_barrier_destroy(barrier);
}
