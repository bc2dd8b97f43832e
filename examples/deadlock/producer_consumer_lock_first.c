// Producers and consumers who take the mutex before they wait for their semaphore. A consumer that comes
// before any item sleeps with the mutex in its hands, and no producer can ever put an item in.
//   mcmini producer_consumer_lock_first 2 1
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static sem_t places, items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stored;

static void* produce(void* unused) {
  pthread_mutex_lock(&mutex);
  sem_wait(&places);
  ++stored;
  pthread_mutex_unlock(&mutex);
  sem_post(&items);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&mutex);
  sem_wait(&items);
  --stored;
  pthread_mutex_unlock(&mutex);
  sem_post(&places);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  int capacity = argc > 2 ? atoi(argv[2]) : 1;
  if (n < 1 || n > kMost || capacity < 1) {
    fprintf(stderr, "usage: producer_consumer_lock_first [1..%d [CAPACITY]]\n", kMost);
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
