// Producers and consumers wait on the same condition variable, and each wakes only one thread: the signal for
// a consumer may wake a producer, who finds the slot full and sleeps again. Cure: two of them, or broadcast.
//   mcmini producer_consumer_one_cond 2
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void* produce(void* unused) {
  pthread_mutex_lock(&mutex);
  while (items == 1) pthread_cond_wait(&changed, &mutex);
  ++items;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&mutex);
  while (items == 0) pthread_cond_wait(&changed, &mutex);
  --items;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: producer_consumer_one_cond [1..%d]\n", kMost);
    return 2;
  }
  pthread_t thread[2 * kMost];
  for (int i = 0; i < 2 * n; ++i) pthread_create(&thread[i], NULL, i % 2 == 0 ? produce : consume, NULL);
  for (int i = 0; i < 2 * n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
