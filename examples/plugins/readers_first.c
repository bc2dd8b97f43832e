// Readers see both halves of what a writer writes, or none: 8 runs, 70 if built with -DON_COND, without the
// plugin. No writer goes in while a reader waits; in writers_first it is the other way round.
//   gcc -g -pthread readers_first.c -lreaders_first && mcmini --plugin readers_first ./a.out 2 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ON_COND
#include "readers_first_on_cond.h"
#else
#include <mcmini/readers_first.h>
#endif

static readers_first_t lock;
static int halves[2];

static void* reader(void* unused) {
  readers_first_read(&lock);
  assert(halves[0] == halves[1]);
  readers_first_leave(&lock);
  return unused;
}

static void* writer(void* unused) {
  readers_first_write(&lock);
  ++halves[0];
  ++halves[1];
  readers_first_leave(&lock);
  return unused;
}

int main(int argc, char** argv) {
  int readers = argc > 1 ? atoi(argv[1]) : 2;
  int writers = argc > 2 ? atoi(argv[2]) : 1;
  pthread_t threads[16];
  for (int i = 0; i < readers; ++i) pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i < writers; ++i) pthread_create(&threads[readers + i], NULL, writer, NULL);
  for (int i = 0; i < readers + writers; ++i) pthread_join(threads[i], NULL);
  return 0;
}
