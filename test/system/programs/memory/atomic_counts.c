// Programs that are known from papers, with atomic variables: atomic_counts WAY N.
// indexer: 4 messages a thread go into a table of 128, each to the first free place from its own on.
// last_zero: thread j reads cell j-1 and stores one more into cell j; another one looks for the last zero.
// readers: n threads read what another one writes.
// increments: n threads add to one variable.

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int count;

static atomic_int table[128];
static void* indexes(void* number) {
  int thread = (int)(long)number;
  for (int m = 1; m <= 4; ++m) {
    int w = m * 11 + thread, h = w * 7 % 128, unused = 0;
    while (!atomic_compare_exchange_strong(&table[h], &unused, w)) {
      h = (h + 1) % 128;
      unused = 0;
    }
  }
  return NULL;
}

static atomic_int cells[32];
static void* counts(void* number) {
  long j = (long)number;
  atomic_store(&cells[j], atomic_load(&cells[j - 1]) + 1);
  return NULL;
}
static void* findsLastZero(void* unused) {
  for (int i = count; atomic_load(&cells[i]) != 0; --i) {
  }
  return unused;
}

static atomic_int shared;
static void* readsIt(void* unused) {
  atomic_load(&shared);
  return unused;
}
static void* writesIt(void* unused) {
  atomic_store(&shared, 1);
  return unused;
}
static void* addsToIt(void* unused) {
  atomic_fetch_add(&shared, 1);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t threads[64];
  int started = 0;
  const char* way = argc > 1 ? argv[1] : "";
  count = argc > 2 ? atoi(argv[2]) : 2;
  void* (*each)(void*) = strcmp(way, "indexer") == 0     ? indexes
                         : strcmp(way, "last_zero") == 0 ? counts
                         : strcmp(way, "readers") == 0   ? readsIt
                                                         : addsToIt;
  if (each == counts) pthread_create(&threads[started++], NULL, findsLastZero, NULL);
  for (long i = each == counts; i < count + (each == counts); ++i)
    pthread_create(&threads[started++], NULL, each, (void*)i);
  if (each == readsIt) pthread_create(&threads[started++], NULL, writesIt, NULL);
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  return 0;
}
