// A barrier that is reset by the last thread that leaves it. A fast one comes back before the others have
// left, finds the count still full, and walks through into its next round, though nobody else has come.
//   mcmini barrier_reuse 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, left, in_all_rounds;
static int n = 2, rounds = 2;

static void await_all(int round) {
  pthread_mutex_lock(&mutex);
  ++in_all_rounds;
  if (++arrived == n) pthread_cond_broadcast(&all_here);
  while (arrived < n) pthread_cond_wait(&all_here, &mutex);
  assert(in_all_rounds >= round * n);
  if (++left == n) arrived = left = 0;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
  for (int round = 1; round <= rounds; ++round) await_all(round);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) rounds = atoi(argv[2]);
  if (n < 1 || n > kMost || rounds < 0) {
    fprintf(stderr, "usage: barrier_reuse [1..%d [ROUNDS]]\n", kMost);
    return 2;
  }
  pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
