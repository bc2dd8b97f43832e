// Atomic operations of a program that runs without the checker.

#define MCMINI_ATOMIC_CALL mcmini::atomics::perform
#include "libmcmini/atomic_symbols.h"

MCMINI_ATOMIC void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
MCMINI_ATOMIC void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
