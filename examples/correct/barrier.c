// Threads that meet at a barrier after each round: nobody begins a round before all have ended theirs. Who
// comes when makes no difference, so there is one behaviour, for any number of threads and rounds.
//   mcmini barrier 4 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 16 };

static pthread_barrier_t barrier;
static int done[kMost];
static int n = 3, rounds = 2;

static void* work(void* which) {
  long i = (long)which;
  for (int round = 1; round <= rounds; ++round) {
    ++done[i];
    pthread_barrier_wait(&barrier);
    for (int other = 0; other < n; ++other) assert(done[other] == round);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) rounds = atoi(argv[2]);
  if (n < 1 || n > kMost || rounds < 0) {
    fprintf(stderr, "usage: barrier [1..%d [ROUNDS]]\n", kMost);
    return 2;
  }
  pthread_barrier_init(&barrier, NULL, (unsigned)n);
  pthread_t thread[kMost];
  for (long i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
