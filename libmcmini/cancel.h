#pragma once

// Deferred cancellation: the model knows who shall end, and lets a thread that waits at a cancellation point
// go with ECANCELED; then the thread ends for real, which runs its cleanup handlers.

#include "libmcmini/announce.h"

namespace mcmini {

// Has the calling thread switched cancellation off?
bool cancelDisabled();

// Will the calling thread end at its next cancellation point?
bool toBeCanceled();

// To be called when the model has answered ECANCELED. Does not return.
void endByCancel();

// A function that the model does not know is a cancellation point. In programs that cancel nobody that is not
// worth an operation.
void testCancel(OpName call, const void* site);

// While it lives, its thread may be in the kernel, at a cancellation point.
class MayBeCanceled {
 public:
  MayBeCanceled();
  ~MayBeCanceled();
  MayBeCanceled(const MayBeCanceled&) = delete;
  MayBeCanceled& operator=(const MayBeCanceled&) = delete;
};

// Shall the calling thread end where it is in the kernel?
bool endsInKernel();

}  // namespace mcmini
