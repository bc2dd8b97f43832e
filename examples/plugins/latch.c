// Workers count a latch down; main waits for it, and finds their work done: 1 run, 24 if built with
// -DON_COND, without the plugin. If the latch waits for one more than there are (`3 1`), that is a deadlock.
//   gcc -g -pthread latch.c -llatch && mcmini --plugin latch ./a.out 3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ON_COND
#include "latch_on_cond.h"
#else
#include <mcmini/latch.h>
#endif

static latch_t latch;
static int done[16];

static void* worker(void* mine) {
  *(int*)mine = 1;
  latch_count_down(&latch);
  return NULL;
}

int main(int argc, char** argv) {
  int workers = argc > 1 ? atoi(argv[1]) : 3;
  int missing = argc > 2 ? atoi(argv[2]) : 0; /* 1: nobody opens the latch */
  latch_init(&latch, (unsigned)(workers + missing));
  pthread_t threads[16];
  for (int i = 0; i < workers; ++i) pthread_create(&threads[i], NULL, worker, &done[i]);
  latch_wait(&latch);
  for (int i = 0; i < workers; ++i) assert(done[i]);
  for (int i = 0; i < workers; ++i) pthread_join(threads[i], NULL);
  return 0;
}
