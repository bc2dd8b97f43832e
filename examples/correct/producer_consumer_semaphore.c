// Producers and consumers with a bounded buffer: one semaphore counts the free places, another one the items,
// and a mutex protects the buffer itself. Each waits for its semaphore first and takes the mutex then.
//   mcmini producer_consumer_semaphore 2 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static sem_t places, items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stored;
static int capacity = 1;

static void* produce(void* unused) {
  sem_wait(&places);
  pthread_mutex_lock(&mutex);
  ++stored;
  assert(stored <= capacity);
  pthread_mutex_unlock(&mutex);
  sem_post(&items);
  return unused;
}

static void* consume(void* unused) {
  sem_wait(&items);
  pthread_mutex_lock(&mutex);
  --stored;
  assert(stored >= 0);
  pthread_mutex_unlock(&mutex);
  sem_post(&places);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (argc > 2) capacity = atoi(argv[2]);
  if (n < 1 || n > kMost || capacity < 1) {
    fprintf(stderr, "usage: producer_consumer_semaphore [1..%d [CAPACITY]]\n", kMost);
    return 2;
  }
  sem_init(&places, 0, (unsigned)capacity);
  sem_init(&items, 0, 0);
  pthread_t producer[kMost], consumer[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&producer[i], NULL, produce, NULL);
  for (int i = 0; i < n; ++i) pthread_create(&consumer[i], NULL, consume, NULL);
  for (int i = 0; i < n; ++i) pthread_join(producer[i], NULL);
  for (int i = 0; i < n; ++i) pthread_join(consumer[i], NULL);
  return 0;
}
