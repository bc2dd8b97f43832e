// A barrier that the last thread resets too early: who wakes up looks at the count, which is zero again, and
// sleeps on. Nobody is left to wake it. Cure: wait for a number of the round to change, not for the count.
//   mcmini barrier_wrong_reset 2
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;
static int n = 2, rounds = 1;

static void await_all(void) {
  pthread_mutex_lock(&mutex);
  if (++arrived == n) {
    arrived = 0;
    pthread_cond_broadcast(&all_here);
  } else {
    while (arrived < n) pthread_cond_wait(&all_here, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
  for (int round = 0; round < rounds; ++round) await_all();
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) rounds = atoi(argv[2]);
  if (n < 1 || n > kMost || rounds < 0) {
    fprintf(stderr, "usage: barrier_wrong_reset [1..%d [ROUNDS]]\n", kMost);
    return 2;
  }
  pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
