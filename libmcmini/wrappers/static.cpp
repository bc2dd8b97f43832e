// The guards of static variables within functions. Whoever uses such a variable comes after its
// initialization, as the guard sees to; which thread does that is nobody's business.

#include "libmcmini/accesses.h"
#include "libmcmini/real.h"

extern "C" {
int __cxa_guard_acquire(void* guard);
void __cxa_guard_release(void* guard);
void __cxa_guard_abort(void* guard);
}

MCMINI_WRAPS(__cxa_guard_acquire)
MCMINI_WRAPS(__cxa_guard_release)
MCMINI_WRAPS(__cxa_guard_abort)

using namespace mcmini;

MCMINI_EXPORT int __cxa_guard_acquire(void* guard) {
  int isFirst = real::__cxa_guard_acquire(guard);
  if (isFirst != 0) ++initializing;
  return isFirst;
}

MCMINI_EXPORT void __cxa_guard_release(void* guard) {
  --initializing;
  real::__cxa_guard_release(guard);
}

MCMINI_EXPORT void __cxa_guard_abort(void* guard) {
  --initializing;
  real::__cxa_guard_abort(guard);
}
