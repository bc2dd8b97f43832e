#pragma once

#include <signal.h>

#include "libmcmini/wire.h"

namespace mcmini {

// A thread inherits what its creator has blocked, the checker's signal too, as far as the program knows.
void inheritMask(uint32_t thread);

// This one goes to another thread, or comes at a later time.
void tellOfSignal(int number);

bool blocks(int number);

// A thread that waits for its turn gets its signals when it has come to its next operation, or to a call that
// may wait, or when it is asked to let others run.
void deliverSignals();

// A set of signals as the kernel gets it: without the checker's.
class WithoutProbe {
 public:
  explicit WithoutProbe(const sigset_t* set) : set_(set) {
    if (!had()) return;
    copy_ = *set;
    sigdelset(&copy_, wire::kProbeSignal);
    set_ = &copy_;
  }
  WithoutProbe(const WithoutProbe&) = delete;
  WithoutProbe& operator=(const WithoutProbe&) = delete;

  const sigset_t* get() const { return set_; }

 private:
  bool had() const { return set_ != nullptr && sigismember(set_, wire::kProbeSignal) == 1; }

  const sigset_t* set_;
  sigset_t copy_;
};

}  // namespace mcmini
