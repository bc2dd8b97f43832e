// Two threads wake each other in turns: 1 run, 16 if built with -DON_COND, without the plugin. With a second
// argument, `hasty`, main does not wait for its turn, and posts what has been posted already: a misuse.
//   gcc -g -pthread binary_semaphore.c -lbinary_semaphore && mcmini --plugin binary_semaphore ./a.out 2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ON_COND
#include "binary_semaphore_on_cond.h"
#else
#include <mcmini/binary_semaphore.h>
#endif

static binary_semaphore_t ping;
static binary_semaphore_t pong;
static int rounds = 2;
static int hasty;

static void* partner(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    binary_semaphore_wait(&ping);
    binary_semaphore_post(&pong);
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  if (argc > 2) hasty = 1; /* with a second argument: does not wait for the answer */
  pthread_t thread;
  pthread_create(&thread, NULL, partner, NULL);
  for (int i = 0; i < rounds; ++i) {
    binary_semaphore_post(&ping);
    if (!hasty) binary_semaphore_wait(&pong);
  }
  pthread_join(thread, NULL);
  return 0;
}
