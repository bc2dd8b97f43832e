#include "libmcmini/cancel.h"

#include <errno.h>
#include <pthread.h>

#include "libmcmini/caller.h"
#include "libmcmini/gate.h"
#include "libmcmini/imports.h"
#include "libmcmini/large.h"
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
__thread bool inKernel __attribute__((tls_model("initial-exec")));
MCMINI_BY_THREAD bool requested[wire::kMaxThreads];

bool threadsAreCanceled;
__attribute__((constructor)) void findOut() {
  threadsAreCanceled = isImported("pthread_cancel");
}

// Where a thread cancels itself, nobody else is concerned.
void endIfAsynchronous() {
  if (claimedType == PTHREAD_CANCEL_ASYNCHRONOUS && toBeCanceled()) endByCancel();
}

}  // namespace

bool cancelDisabled() {
  return disabled;
}

bool toBeCanceled() {
  return controlled() && requested[self] && !disabled;
}

// A thread is canceled once: what it waits for in its cleanup handlers is no cancellation point.
void endByCancel() {
  CalledFrom::forget();
  disabled = true;
  inKernel = false;
  real::pthread_cancel(pthread_self());
  real::pthread_testcancel();
}

void testCancel(OpName call, const void* site) {
  if (!threadsAreCanceled || !controlled()) return;
  CalledFrom here(site, call);
  pthread_testcancel();
}

MayBeCanceled::MayBeCanceled() {
  inKernel = true;
}
MayBeCanceled::~MayBeCanceled() {
  inKernel = false;
}

bool endsInKernel() {
  return inKernel && toBeCanceled();
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_cancel(pthread_t handle) {
  if (!controlled()) return real::pthread_cancel(handle);
  uint32_t thread = numberOf(handle);
  int64_t result = announce({.name = "thread.cancel", .object = thread, .site = __builtin_return_address(0)});
  if (result != 0) return static_cast<int>(result);
  requested[thread] = true;
  endIfAsynchronous();
  return 0;
}

MCMINI_EXPORT void pthread_testcancel() {
  if (!controlled()) return real::pthread_testcancel();
  if (disabled) return;
  int64_t result =
      announce({.name = "thread.testcancel", .object = self, .site = __builtin_return_address(0)});
  if (result == ECANCELED) endByCancel();
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
  endIfAsynchronous();
  return 0;
}
