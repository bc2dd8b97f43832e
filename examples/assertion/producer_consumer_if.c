// Consumers who look only once: `if` instead of `while`. One is woken for an item, but before it has the lock
// again another one, who never slept, takes that item. No spurious wakeup is needed for it.
//   mcmini producer_consumer_if 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void* produce(void* unused) {
  pthread_mutex_lock(&mutex);
  ++items;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&not_empty, &mutex);
  assert(items > 0);
  --items;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: producer_consumer_if [1..%d]\n", kMost);
    return 2;
  }
  pthread_t thread[2 * kMost];
  for (int i = 0; i < 2 * n; ++i) pthread_create(&thread[i], NULL, i % 2 == 0 ? produce : consume, NULL);
  for (int i = 0; i < 2 * n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
