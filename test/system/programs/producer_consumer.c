// One slot, n producers and n consumers with one item each, created alternately.
// The counts are those of a brute-force search over the same operations.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

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
  pthread_t threads[16];
  assert(n <= 8);
  for (int i = 0; i < 2 * n; ++i) pthread_create(&threads[i], NULL, i % 2 == 0 ? produce : consume, NULL);
  for (int i = 0; i < 2 * n; ++i) pthread_join(threads[i], NULL);
  assert(items == 0);
  return 0;
}
