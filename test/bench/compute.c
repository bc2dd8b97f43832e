// Computes and calls nothing: primes, a product of matrices, a sort and a table of words. Told "thread", a thread does it, and
// main waits.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kNumbers = 20000, kRows = 48, kItems = 4000, kBuckets = 1024 };

static unsigned char isComposite[kNumbers];
static double a[kRows][kRows], b[kRows][kRows], c[kRows][kRows];
static uint32_t items[kItems];
static struct Word {
  struct Word* next;
  uint32_t key, count;
} words[kItems], *table[kBuckets];
static int rounds = 60;

static uint64_t primes(void) {
  uint64_t count = 0;
  memset(isComposite, 0, sizeof isComposite);
  for (int i = 2; i < kNumbers; ++i) {
    if (isComposite[i]) continue;
    ++count;
    for (int j = 2 * i; j < kNumbers; j += i) isComposite[j] = 1;
  }
  return count;
}

static uint64_t product(void) {
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kRows; ++j) {
      double sum = 0;
      for (int k = 0; k < kRows; ++k) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  return (uint64_t)c[kRows / 2][kRows / 3];
}

static uint32_t next(uint32_t* seed) {
  return *seed = *seed * 1664525U + 1013904223U;
}

static void sort(uint32_t* first, uint32_t* last) {
  while (last - first > 1) {
    uint32_t pivot = first[(last - first) / 2], *i = first, *j = last - 1;
    while (i <= j) {
      while (*i < pivot) ++i;
      while (*j > pivot) --j;
      if (i <= j) {
        uint32_t held = *i;
        *i++ = *j;
        *j-- = held;
      }
    }
    sort(first, j + 1);
    first = i;
  }
}

static uint64_t sorted(uint32_t seed) {
  for (int i = 0; i < kItems; ++i) items[i] = next(&seed);
  sort(items, items + kItems);
  return items[kItems / 2];
}

static uint64_t counted(uint32_t seed) {
  memset(table, 0, sizeof table);
  uint64_t different = 0;
  for (int i = 0; i < kItems; ++i) {
    uint32_t key = (next(&seed) >> 20) * 2654435761U;
    struct Word** bucket = &table[key % kBuckets];
    struct Word* word = *bucket;
    while (word != NULL && word->key != key) word = word->next;
    if (word == NULL) {
      word = &words[different++];
      *word = (struct Word){*bucket, key, 0};
      *bucket = word;
    }
    ++word->count;
  }
  return different;
}

static void* compute(void* unused) {
  (void)unused;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < (uint32_t)rounds; ++i) sum += primes() + product() + sorted(i) + counted(i);
  printf("%llu\n", (unsigned long long)sum);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 2) rounds = atoi(argv[2]);
  for (int i = 0; i < kRows * kRows; ++i) a[i / kRows][i % kRows] = b[i % kRows][i / kRows] = i % 7;
  if (argc < 2 || strcmp(argv[1], "thread") != 0) return compute(NULL) != NULL;
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  pthread_join(thread, NULL);
  return 0;
}
