// A producer that saves on signals: it sends one only if the buffer was empty before. If two consumers sleep
// and two items come before the first of them has woken up, the other one sleeps for ever: a lost wakeup.
//   mcmini signal_when_empty 2
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;
static int n = 2;

static void* produce(void* unused) {
  for (int i = 0; i < n; ++i) {
    pthread_mutex_lock(&mutex);
    if (items++ == 0) pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&mutex);
  while (items == 0) pthread_cond_wait(&not_empty, &mutex);
  --items;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: signal_when_empty [1..%d]\n", kMost);
    return 2;
  }
  pthread_t producer, consumer[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&consumer[i], NULL, consume, NULL);
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < n; ++i) pthread_join(consumer[i], NULL);
  pthread_join(producer, NULL);
  return 0;
}
