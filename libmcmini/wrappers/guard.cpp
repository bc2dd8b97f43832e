// Static variables within functions: who has initialized one lets others see what it did.

#include <stdint.h>

#include "libmcmini/accesses.h"
#include "libmcmini/real.h"

extern "C" int __cxa_guard_acquire(uint64_t* guard);
extern "C" void __cxa_guard_release(uint64_t* guard);
MCMINI_WRAPS(__cxa_guard_acquire)
MCMINI_WRAPS(__cxa_guard_release)

MCMINI_EXPORT int __cxa_guard_acquire(uint64_t* guard) {
  int isFirst = mcmini::real::__cxa_guard_acquire(guard);
  mcmini::noteAcquire(guard);
  return isFirst;
}

MCMINI_EXPORT void __cxa_guard_release(uint64_t* guard) {
  mcmini::noteRelease(guard);
  mcmini::real::__cxa_guard_release(guard);
}
