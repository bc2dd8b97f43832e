/* Atomic operations of code that was compiled by mcmini-cc, as they are without the checker: sequentially
   consistent, which every weaker order allows. */
#include <stdint.h>

#define LIKE_FETCH(BITS, TYPE, NAME)                                              \
  TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE* at, TYPE v, int order) { \
    (void)order;                                                                  \
    return __atomic_fetch_##NAME(at, v, __ATOMIC_SEQ_CST);                        \
  }
#define LIKE_CAS(BITS, TYPE, NAME)                                                                        \
  int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile TYPE* at, TYPE* expected, TYPE v, int order, \
                                                    int failure) {                                        \
    (void)order, (void)failure;                                                                           \
    return __atomic_compare_exchange_n(at, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
  }
#define ATOMICS(BITS, TYPE)                                                                            \
  TYPE __tsan_atomic##BITS##_load(const volatile TYPE* at, int order) {                                \
    (void)order;                                                                                       \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                    \
  void __tsan_atomic##BITS##_store(volatile TYPE* at, TYPE v, int order) {                             \
    (void)order;                                                                                       \
    __atomic_store_n(at, v, __ATOMIC_SEQ_CST);                                                         \
  }                                                                                                    \
  TYPE __tsan_atomic##BITS##_exchange(volatile TYPE* at, TYPE v, int order) {                          \
    (void)order;                                                                                       \
    return __atomic_exchange_n(at, v, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                    \
  LIKE_FETCH(BITS, TYPE, add)                                                                          \
  LIKE_FETCH(BITS, TYPE, sub)                                                                          \
  LIKE_FETCH(BITS, TYPE, and)                                                                          \
  LIKE_FETCH(BITS, TYPE, or)                                                                           \
  LIKE_FETCH(BITS, TYPE, xor)                                                                          \
  LIKE_FETCH(BITS, TYPE, nand)                                                                         \
  LIKE_CAS(BITS, TYPE, strong)                                                                         \
  LIKE_CAS(BITS, TYPE, weak)                                                                           \
  TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE* at, TYPE expected, TYPE v, int order, \
                                                  int failure) {                                       \
    (void)order, (void)failure;                                                                        \
    __atomic_compare_exchange_n(at, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);              \
    return expected;                                                                                   \
  }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
