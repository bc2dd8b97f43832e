#pragma once

#include <signal.h>

#include "libmcmini/wire.h"

namespace mcmini {

// A thread inherits whether its creator has blocked the checker's signal, as far as the program knows.
void inheritProbe(uint32_t thread);

// This one goes to another thread, or comes at a later time.
void tellOfSignal(int number);

bool blocks(int number);

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
