/* The same for 16 bytes, which compilers otherwise leave to a library. */
#include <stdint.h>

__extension__ typedef unsigned __int128 Wide;

#ifdef __x86_64__
__attribute__((target("cx16"), noinline))
#endif
static Wide
swap(volatile Wide* at, Wide expected, Wide v) {
  return __sync_val_compare_and_swap(at, expected, v);
}

static Wide load(volatile Wide* at) {
  return swap(at, 0, 0);
}

#define UPDATE(NAME, NEW)                                              \
  Wide __tsan_atomic128_##NAME(volatile Wide* at, Wide v, int order) { \
    (void)order;                                                       \
    Wide old = load(at);                                               \
    for (Wide seen; (seen = swap(at, old, NEW)) != old; old = seen) {  \
    }                                                                  \
    return old;                                                        \
  }
#define LIKE_CAS(NAME)                                                                               \
  int __tsan_atomic128_compare_exchange_##NAME(volatile Wide* at, Wide* expected, Wide v, int order, \
                                               int failure) {                                        \
    (void)order, (void)failure;                                                                      \
    Wide wanted = *expected;                                                                         \
    return (*expected = swap(at, wanted, v)) == wanted;                                              \
  }

UPDATE(exchange, v)
UPDATE(fetch_add, old + v)
UPDATE(fetch_sub, old - v)
UPDATE(fetch_and, old& v)
UPDATE(fetch_or, old | v)
UPDATE(fetch_xor, old ^ v)
UPDATE(fetch_nand, ~(old& v))
LIKE_CAS(strong)
LIKE_CAS(weak)

Wide __tsan_atomic128_load(const volatile Wide* at, int order) {
  (void)order;
  return load((volatile Wide*)at);
}

void __tsan_atomic128_store(volatile Wide* at, Wide v, int order) {
  __tsan_atomic128_exchange(at, v, order);
}

Wide __tsan_atomic128_compare_exchange_val(volatile Wide* at, Wide expected, Wide v, int order, int failure) {
  (void)order, (void)failure;
  return swap(at, expected, v);
}
