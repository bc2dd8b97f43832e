// Static variables within functions. Compiled code asks for them only as long as the first byte of their
// guard is zero; it stays so where the model says who initializes the variable, for every thread to be seen
// when it comes by. What the first byte would tell is in the others then.

#include <stdint.h>

#include "libmcmini/accesses.h"
#include "libmcmini/announce.h"
#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/runtime.h"

extern "C" int __cxa_guard_acquire(uint64_t* guard);
extern "C" void __cxa_guard_release(uint64_t* guard);
extern "C" void __cxa_guard_abort(uint64_t* guard);
MCMINI_WRAPS(__cxa_guard_acquire)
MCMINI_WRAPS(__cxa_guard_release)
MCMINI_WRAPS(__cxa_guard_abort)

namespace mcmini {

namespace {

struct State {
  uint8_t ofTheLibrary[3];                          // the first byte, and what libstdc++ keeps beside it
  enum : uint8_t { kNone, kRunning, kDone } known;  // as the model says
  uint32_t seenBy;  // the first threads that came by; the others are seen each time
};
static_assert(sizeof(State) == sizeof(uint64_t));

State& stateOf(uint64_t* guard) {
  return *reinterpret_cast<State*>(guard);
}

// Not within the libraries, for whomever they are called.
bool isSeen(const uint64_t* guard) {
  return controlled() && !isOfRuntime(guard);
}

uint32_t ownBit() {
  constexpr uint32_t kBits = 32;
  return self < kBits ? 1U << self : 0;
}

void end(uint64_t* guard, bool completes, const void* site) {
  announce({.name = "guard.release",
            .object = asObject(guard),
            .args = {completes ? 1U : 0U},
            .site = site,
            .doesNotWait = true});
  State& state = stateOf(guard);
  state.known = completes ? State::kDone : State::kNone;
  if (completes) state.seenBy |= ownBit();
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int __cxa_guard_acquire(uint64_t* guard) {
  State& state = stateOf(guard);
  if (!isSeen(guard) && state.known != State::kDone) {
    int isFirst = real::__cxa_guard_acquire(guard);
    noteAcquire(guard);
    return isFirst;
  }
  if (state.known == State::kDone && (!isSeen(guard) || (state.seenBy & ownBit()) != 0)) return 0;
  if (announce({.name = "guard.acquire", .object = asObject(guard), .site = __builtin_return_address(0)}) !=
      0) {
    state.known = State::kRunning;
    return 1;
  }
  if (state.known == State::kDone) {
    state.seenBy |= ownBit();
    return 0;
  }
  return real::__cxa_guard_acquire(guard);  // another one, at the address of one that is gone
}

MCMINI_EXPORT void __cxa_guard_release(uint64_t* guard) {
  if (stateOf(guard).known == State::kRunning && isSeen(guard)) {
    end(guard, true, __builtin_return_address(0));
    return;
  }
  noteRelease(guard);
  real::__cxa_guard_release(guard);
}

MCMINI_EXPORT void __cxa_guard_abort(uint64_t* guard) {
  if (stateOf(guard).known == State::kRunning && isSeen(guard))
    end(guard, false, __builtin_return_address(0));
  else
    real::__cxa_guard_abort(guard);
}
