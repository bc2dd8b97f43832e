// A reader and a writer of each kind enter twice; readers see both halves of what is written, or none:
// 90 runs, 63,000 if built with -DON_COND, without the plugin.
//   gcc -g -pthread two_writers.c -ltwo_writers && mcmini --plugin two_writers ./a.out 2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ON_COND
#include "two_writers_on_cond.h"
#else
#include <mcmini/two_writers.h>
#endif

static two_writers_t lock;
static int halves[2];
static int rounds = 2;

static void* reader(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    two_writers_read(&lock);
    assert(halves[0] == halves[1]);
    two_writers_leave(&lock);
  }
  return unused;
}

static void* first(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    two_writers_write_first(&lock);
    ++halves[0];
    ++halves[1];
    two_writers_leave(&lock);
  }
  return unused;
}

static void* second(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    two_writers_write_second(&lock);
    --halves[0];
    --halves[1];
    two_writers_leave(&lock);
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, first, NULL);
  pthread_create(&threads[2], NULL, second, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(halves[0] == 0);
  return 0;
}
