// Runners wait for the start of a race, and none of them looks whether it has been given: who comes after the
// broadcast waits for ever. Only if all n are asleep in time does everybody get home.
//   mcmini cond_broadcast_missed 3
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;

static void* run(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&start, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: cond_broadcast_missed [1..%d]\n", kMost);
    return 2;
  }
  pthread_t runner[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&runner[i], NULL, run, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_broadcast(&start);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < n; ++i) pthread_join(runner[i], NULL);
  return 0;
}
