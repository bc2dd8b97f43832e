#pragma once

// A wrapper that is made of other wrappers, as mtx_lock is of pthread_mutex_lock, says where the program
// called it: what they announce was called there.

namespace mcmini {

extern __thread const void* callSite
    __attribute__((tls_model("initial-exec")));  // null: of the wrapper itself

// The outermost one counts.
class CalledFrom {
 public:
  explicit CalledFrom(const void* site) : isOutermost_(callSite == nullptr) {
    if (isOutermost_) callSite = site;
  }
  ~CalledFrom() {
    if (isOutermost_) callSite = nullptr;
  }
  CalledFrom(const CalledFrom&) = delete;
  CalledFrom& operator=(const CalledFrom&) = delete;

 private:
  bool isOutermost_;
};

}  // namespace mcmini
