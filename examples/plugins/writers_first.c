// Readers see both halves of what a writer writes, or none: 8 runs, 66 if built with -DON_COND, without the
// plugin. No reader goes in while a writer waits; in readers_first it is the other way round.
//   gcc -g -pthread writers_first.c -lwriters_first && mcmini --plugin writers_first ./a.out 2 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ON_COND
#include "writers_first_on_cond.h"
#else
#include <mcmini/writers_first.h>
#endif

static writers_first_t lock;
static int halves[2];

static void* reader(void* unused) {
  writers_first_read(&lock);
  assert(halves[0] == halves[1]);
  writers_first_leave(&lock);
  return unused;
}

static void* writer(void* unused) {
  writers_first_write(&lock);
  ++halves[0];
  ++halves[1];
  writers_first_leave(&lock);
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
