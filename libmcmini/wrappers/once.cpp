#include "libmcmini/wrappers/once.h"

#include <unwind.h>

#include "libmcmini/real.h"

MCMINI_WRAPS(pthread_once)

namespace mcmini {

namespace {

// glibc takes any value with its bit for done; this one tells what the model knows of from what was done
// before the checker took over.
constexpr int kDoneBit = 2;
constexpr int kDone = 0x6d630000 | kDoneBit;

bool isDone(const pthread_once_t* control) {
  return (*control & kDoneBit) != 0;
}

bool isGarbage(const pthread_once_t* control) {
  return *control != PTHREAD_ONCE_INIT && *control != kDoneBit && *control != kDone;
}

// A call whose routine runs; a routine may make such a call in turn.
struct Call {
  pthread_once_t* control;
  const void* site;
  OpName name;
  Call* outer;
};

__thread Call* innermost;

int64_t announceOn(const Call& call, OpName name, uint64_t argument, bool doesNotWait) {
  return announce({.name = name,
                   .call = call.name,
                   .object = asObject(call.control),
                   .args = {argument},
                   .site = call.site,
                   .doesNotWait = doesNotWait});
}

void end(const Call& call, bool completed) {
  announceOn(call, "once.end", completed ? 1 : 0, true);
  *call.control = completed ? kDone : PTHREAD_ONCE_INIT;
}

// Memory that was done and is initialized again is new, whatever the model remembers.
bool isToRun(const Call& call) {
  bool first = announceOn(call, "once.begin", isGarbage(call.control) ? 1 : 0, *call.control == kDone) != 0;
  if (!first && isDone(call.control)) return false;
  if (!first) announceOn(call, "once.again", 0, false);
  return true;
}

// Whatever ends the routine early unwinds the stack: an exception, pthread_exit, a cancellation. The
// personality routine of the frame that runs it is told, and needs nothing of the C++ runtime.
extern "C" __attribute__((visibility("hidden"), used)) _Unwind_Reason_Code mcmini_once_unwound(
    int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context*) {
  if ((actions & _UA_CLEANUP_PHASE) != 0) {
    Call* left = innermost;
    innermost = left->outer;
    if (controlled()) end(*left, false);
  }
  return _URC_CONTINUE_UNWIND;
}

__attribute__((noinline)) void runWatched(void (*routine)()) {
  asm volatile(".cfi_personality 0x1b, mcmini_once_unwound");  // relative to its place in the table, 32 bits
  routine();
  asm volatile("" ::: "memory");  // the frame stays until the routine has returned
}

}  // namespace

int runOnce(pthread_once_t* control, void (*routine)(), const void* site, OpName name) {
  if (!controlled(control)) return real::pthread_once(control, routine);
  Call call = {control, site, name, innermost};
  if (!isToRun(call)) return 0;
  if (!isDone(control)) {
    innermost = &call;
    runWatched(routine);
    innermost = call.outer;
  }
  end(call, true);
  return 0;
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  return runOnce(control, routine, __builtin_return_address(0), "");
}
