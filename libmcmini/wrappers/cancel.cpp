#include "libmcmini/cancel.h"

#include <errno.h>
#include <pthread.h>

#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/thread_number.h"

MCMINI_WRAPS(pthread_cancel)
MCMINI_WRAPS(pthread_testcancel)
MCMINI_WRAPS(pthread_setcancelstate)
MCMINI_WRAPS(pthread_setcanceltype)

namespace mcmini {

namespace {

__thread bool disabled __attribute__((tls_model("initial-exec")));
__thread int claimedType __attribute__((tls_model("initial-exec")));

}  // namespace

bool cancelDisabled() {
  return disabled;
}

void endByCancel() {
  real::pthread_testcancel();
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_cancel(pthread_t handle) {
  if (!controlled()) return real::pthread_cancel(handle);
  int64_t result =
      announce({.name = "thread.cancel", .object = numberOf(handle), .site = __builtin_return_address(0)});
  return result != 0 ? static_cast<int>(result) : real::pthread_cancel(handle);
}

MCMINI_EXPORT void pthread_testcancel() {
  if (controlled() && !disabled)
    announce({.name = "thread.testcancel", .object = self, .site = __builtin_return_address(0)});
  real::pthread_testcancel();
}

MCMINI_EXPORT int pthread_setcancelstate(int state, int* before) {
  int result = real::pthread_setcancelstate(state, before);
  if (result == 0) disabled = state == PTHREAD_CANCEL_DISABLE;
  return result;
}

// A thread that could end anywhere would end while it waits for its turn. It ends at its next cancellation
// point.
MCMINI_EXPORT int pthread_setcanceltype(int type, int* before) {
  if (!controlled()) return real::pthread_setcanceltype(type, before);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (before != nullptr) *before = claimedType;
  claimedType = type;
  if (type == PTHREAD_CANCEL_ASYNCHRONOUS) channel->notes.asyncCancel = 1;
  return 0;
}
