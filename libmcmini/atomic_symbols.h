// The functions that instrumented code calls for atomic operations, as gcc and clang name them. Whoever
// includes this has defined MCMINI_ATOMIC_CALL, which says how the calling thread does one:
//
//     template <class T> T act(const atomics::Call<T>& call);
//
// It returns what the variable held before.

#include "libmcmini/atomics.h"

#define MCMINI_ATOMIC extern "C" __attribute__((visibility("default")))
#define MCMINI_ATOMIC_SITE __builtin_return_address(0)

// Orders come as ints; __sync builtins have marks above the order.
#define MCMINI_ATOMIC_RMW(BITS, T, NAME, KIND)                                                            \
  MCMINI_ATOMIC T __tsan_atomic##BITS##_##NAME(volatile T* at, T operand, int order) {                    \
    return MCMINI_ATOMIC_CALL(                                                                            \
        (mcmini::atomics::Call<T>{at, mcmini::atomics::KIND, operand, 0, order, 0, MCMINI_ATOMIC_SITE})); \
  }

#define MCMINI_ATOMIC_CAS(BITS, T, NAME)                                                                    \
  MCMINI_ATOMIC int __tsan_atomic##BITS##_##NAME(volatile T* at, T* expected, T desired, int order,         \
                                                 int orderOfFailure) {                                      \
    T wanted = *expected;                                                                                   \
    T old = MCMINI_ATOMIC_CALL((mcmini::atomics::Call<T>{at, mcmini::atomics::kCas, desired, wanted, order, \
                                                         orderOfFailure, MCMINI_ATOMIC_SITE}));             \
    if (old == wanted) return 1;                                                                            \
    *expected = old;                                                                                        \
    return 0;                                                                                               \
  }

#define MCMINI_ATOMICS(BITS, T)                                                                              \
  MCMINI_ATOMIC T __tsan_atomic##BITS##_load(const volatile T* at, int order) {                              \
    return MCMINI_ATOMIC_CALL((mcmini::atomics::Call<T>{const_cast<volatile T*>(at), mcmini::atomics::kLoad, \
                                                        0, 0, order, 0, MCMINI_ATOMIC_SITE}));               \
  }                                                                                                          \
  MCMINI_ATOMIC void __tsan_atomic##BITS##_store(volatile T* at, T value, int order) {                       \
    MCMINI_ATOMIC_CALL(                                                                                      \
        (mcmini::atomics::Call<T>{at, mcmini::atomics::kStore, value, 0, order, 0, MCMINI_ATOMIC_SITE}));    \
  }                                                                                                          \
  MCMINI_ATOMIC_RMW(BITS, T, exchange, kExchange)                                                            \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_add, kAdd)                                                                \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_sub, kSub)                                                                \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_and, kAnd)                                                                \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_or, kOr)                                                                  \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_xor, kXor)                                                                \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_nand, kNand)                                                              \
  MCMINI_ATOMIC_CAS(BITS, T, compare_exchange_strong)                                                        \
  MCMINI_ATOMIC_CAS(BITS, T, compare_exchange_weak)                                                          \
  MCMINI_ATOMIC T __tsan_atomic##BITS##_compare_exchange_val(volatile T* at, T expected, T desired,          \
                                                             int order, int orderOfFailure) {                \
    return MCMINI_ATOMIC_CALL((mcmini::atomics::Call<T>{at, mcmini::atomics::kCas, desired, expected, order, \
                                                        orderOfFailure, MCMINI_ATOMIC_SITE}));               \
  }

MCMINI_ATOMICS(8, uint8_t)
MCMINI_ATOMICS(16, uint16_t)
MCMINI_ATOMICS(32, uint32_t)
MCMINI_ATOMICS(64, uint64_t)
MCMINI_ATOMICS(128, mcmini::atomics::Wide)
