#pragma once

// A wrapper that is made of other wrappers, as mtx_lock is of pthread_mutex_lock, says which function the
// program called, and where: what they announce was called so, and there.

#include "libmcmini/announce.h"

namespace mcmini {

struct Caller {
  const void* site;  // null: the wrapper itself was called
  OpName call;
};

extern __thread Caller caller __attribute__((tls_model("initial-exec")));

// The outermost one counts.
class CalledFrom {
 public:
  CalledFrom(const void* site, OpName call) : isOutermost_(caller.site == nullptr) {
    if (isOutermost_) caller = {site, call};
  }
  ~CalledFrom() {
    if (isOutermost_) forget();
  }
  CalledFrom(const CalledFrom&) = delete;
  CalledFrom& operator=(const CalledFrom&) = delete;

  // The thread leaves the call without returning from it.
  static void forget() { caller.site = nullptr; }

 private:
  bool isOutermost_;
};

}  // namespace mcmini
