// Atomic operations of every size, by each way to write them, and loops around them: atomic_ways WAY.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint8_t byte;
static _Atomic uint16_t half;
static atomic_int word;
static _Atomic uint64_t whole;
static int plain;  // used by builtins only
static long other;
__extension__ typedef unsigned __int128 Wide;
static _Alignas(16) Wide wide;

// Each operation, and the next of its kind, gives what is expected; another thread exists.
static void* each(void* unused) {
  assert(atomic_fetch_add(&byte, 255) == 0 && atomic_fetch_add(&byte, 2) == 255 && byte == 1);
  assert(atomic_fetch_sub(&half, 1) == 0 && atomic_load(&half) == 65535);
  assert(atomic_exchange(&word, -5) == 0 && atomic_fetch_and(&word, 0xff) == -5 && word == 0xfb);
  assert(atomic_fetch_or(&word, 4) == 0xfb && atomic_fetch_xor(&word, 1) == 0xff && word == 0xfe);
  uint64_t expected = 1;
  assert(!atomic_compare_exchange_strong(&whole, &expected, 9) && expected == 0);
  assert(atomic_compare_exchange_strong(&whole, &expected, UINT64_MAX) && whole == UINT64_MAX);
  assert(__sync_fetch_and_add(&plain, 3) == 0 && __sync_add_and_fetch(&plain, 3) == 6);
  assert(__sync_bool_compare_and_swap(&plain, 6, 8) && __sync_val_compare_and_swap(&plain, 6, 9) == 8);
  assert(__sync_lock_test_and_set(&plain, 1) == 8);
  __sync_lock_release(&plain);
  __sync_synchronize();
  assert(__atomic_nand_fetch(&plain, 0, __ATOMIC_RELAXED) == -1);
  assert(__atomic_fetch_nand(&plain, -1, __ATOMIC_SEQ_CST) == -1 && plain == 0);
  __atomic_store_n(&other, 1L << 40, __ATOMIC_RELEASE);
  assert(__atomic_load_n(&other, __ATOMIC_ACQUIRE) == 1L << 40);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  return unused;
}

static void* eachWide(void* unused) {
  Wide large = (Wide)7 << 64 | 1;
  __atomic_store_n(&wide, large, __ATOMIC_SEQ_CST);
  assert(__atomic_load_n(&wide, __ATOMIC_SEQ_CST) == large);
  assert(__atomic_fetch_add(&wide, large, __ATOMIC_SEQ_CST) == large);
  Wide expected = large;
  assert(!__atomic_compare_exchange_n(&wide, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(expected == 2 * large);
  assert(__atomic_compare_exchange_n(&wide, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(__atomic_exchange_n(&wide, 0, __ATOMIC_SEQ_CST) == 1);
  return unused;
}

static void* waitsForWord(void* unused) {
  while (atomic_load(&word) == 0) {
  }
  return unused;
}
static void* setsWord(void* unused) {
  atomic_store(&word, 1);
  return unused;
}
static void* looksThrice(void* unused) {
  for (int i = 0; i < 3 && atomic_load(&word) == 0; ++i) {
  }
  return unused;
}
static void* waitsForHalf(void* unused) {
  while (atomic_load(&half) == 0) {
  }
  atomic_store(&word, 1);
  return unused;
}
static void* waitsForWordThenHalf(void* unused) {
  while (atomic_load(&word) == 0) {
  }
  atomic_store(&half, 1);
  return unused;
}
static void* swapsOnce(void* unused) {
  int zero = 0;
  atomic_compare_exchange_strong(&word, &zero, 1);
  return unused;
}
static void* swapsTwice(void* unused) {
  int zero = 0;
  if (!atomic_compare_exchange_strong(&word, &zero, 2)) atomic_compare_exchange_strong(&word, &zero, 3);
  return unused;
}

// Memory that is given back and handed out again is initialized anew, without an atomic operation.
static void* reuses(void* unused) {
  for (int i = 0; i < 3; ++i) {
    atomic_int* own = malloc(sizeof *own);
    atomic_init(own, i);
    int expected = i;
    assert(atomic_compare_exchange_strong(own, &expected, 10));
    free(own);
  }
  return unused;
}

static const struct {
  const char* name;
  void* (*first)(void*);
  void* (*second)(void*);
} kWays[] = {{"each", each, eachWide},
             {"poll", waitsForWord, setsWord},
             {"poll_never", waitsForWord, looksThrice},
             {"poll_each_other", waitsForHalf, waitsForWordThenHalf},
             {"thrice", looksThrice, setsWord},
             {"two_swaps", swapsOnce, swapsOnce},
             {"three_swaps", swapsOnce, swapsTwice},
             {"reuse", reuses, reuses}};

int main(int argc, char** argv) {
  for (unsigned i = 0; argc > 1 && i < sizeof kWays / sizeof kWays[0]; ++i) {
    if (strcmp(kWays[i].name, argv[1]) != 0) continue;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, kWays[i].first, NULL);
    pthread_create(&threads[1], NULL, kWays[i].second, NULL);
    for (int j = 0; j < 2; ++j) pthread_join(threads[j], NULL);
  }
  return 0;
}
