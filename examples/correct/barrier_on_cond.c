// A barrier built on a condition variable. The last to come begins a new generation and wakes the others, who
// sleep until theirs is over. A thread may come again at once: it belongs to the next generation.
//   mcmini barrier_on_cond 3 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, generation;
static int n = 2, rounds = 2;

static void await_all(void) {
  pthread_mutex_lock(&mutex);
  int mine = generation;
  if (++arrived == n) {
    arrived = 0;
    ++generation;
    pthread_cond_broadcast(&all_here);
  } else {
    while (mine == generation) pthread_cond_wait(&all_here, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
  for (int round = 0; round < rounds; ++round) {
    await_all();
    assert(generation > round);
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) rounds = atoi(argv[2]);
  if (n < 1 || n > kMost || rounds < 0) {
    fprintf(stderr, "usage: barrier_on_cond [1..%d [ROUNDS]]\n", kMost);
    return 2;
  }
  pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
