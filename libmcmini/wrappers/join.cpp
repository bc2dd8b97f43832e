#include "libmcmini/wrappers/join.h"

#include <errno.h>
#include <pthread.h>

#include "libmcmini/cancel.h"
#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/thread_number.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(pthread_join)
MCMINI_WRAPS(pthread_tryjoin_np)
MCMINI_WRAPS(pthread_timedjoin_np)
MCMINI_WRAPS(pthread_clockjoin_np)

using namespace mcmini;

namespace {

bool hasEnded(uint32_t thread) {
  return thread < wire::kMaxThreads && channel->boxes[thread].state == wire::Mailbox::kEnded;
}

int joinNow(pthread_t handle, void** value, OpName name, OpName call, const void* site) {
  uint32_t thread = numberOf(handle);
  int64_t result = announce({.name = name,
                             .call = call,
                             .object = thread,
                             .args = {cancelDisabled() ? 1U : 0U},
                             .site = site,
                             .doesNotWait = hasEnded(thread) && !toBeCanceled()});
  if (result == ECANCELED) endByCancel();
  if (result != 0) return static_cast<int>(result);
  if (thread < wire::kMaxThreads && !hasEnded(thread)) disagree("pthread_join", EBUSY);
  noteJoined();
  return hasReturned(thread, value) ? 0 : real::pthread_join(handle, value);
}

// Without a time limit it waits for ever.
int timedJoin(pthread_t handle, void** value, OpName call, clockid_t clock, const timespec* deadline,
              const void* site) {
  if (deadline == nullptr) return joinNow(handle, value, "thread.join", call, site);
  return timed(joinNow(handle, value, "thread.timedjoin", call, site), clock, deadline);
}

}  // namespace

MCMINI_EXPORT int pthread_join(pthread_t handle, void** value) {
  if (!controlled()) return real::pthread_join(handle, value);
  return joinNow(handle, value, "thread.join", "", __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_tryjoin_np(pthread_t handle, void** value) noexcept {
  if (!controlled()) return real::pthread_tryjoin_np(handle, value);
  return joinNow(handle, value, "thread.tryjoin", "", __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_timedjoin_np(pthread_t handle, void** value, const timespec* time) {
  if (!controlled()) return real::pthread_timedjoin_np(handle, value, time);
  return timedJoin(handle, value, "pthread_timedjoin_np", CLOCK_REALTIME, time, __builtin_return_address(0));
}

MCMINI_EXPORT int pthread_clockjoin_np(pthread_t handle, void** value, clockid_t clock,
                                       const timespec* time) {
  if (!controlled()) return real::pthread_clockjoin_np(handle, value, clock, time);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return timedJoin(handle, value, "pthread_clockjoin_np", clock, time, __builtin_return_address(0));
}
