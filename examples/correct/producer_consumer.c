// Producers and consumers share one slot: a lock, and a condition variable for each side. Whoever wakes up
// looks again (`while`), since another one may have been faster. Two on each side have 64 behaviours.
//   mcmini producer_consumer 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void* produce(void* unused) {
  pthread_mutex_lock(&mutex);
  while (items == 1) pthread_cond_wait(&not_full, &mutex);
  ++items;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&mutex);
  while (items == 0) pthread_cond_wait(&not_empty, &mutex);
  --items;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: producer_consumer [1..%d]\n", kMost);
    return 2;
  }
  pthread_t thread[2 * kMost];
  for (int i = 0; i < 2 * n; ++i) pthread_create(&thread[i], NULL, i % 2 == 0 ? produce : consume, NULL);
  for (int i = 0; i < 2 * n; ++i) pthread_join(thread[i], NULL);
  assert(items == 0);
  return 0;
}
