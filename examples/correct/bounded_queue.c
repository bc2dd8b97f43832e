// A queue with two places between a producer and a consumer: n items go through it and come out in the order
// in which they went in. At most one thread sleeps on each side, so a signal is enough to wake it.
//   mcmini bounded_queue 3
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPlaces = 2, kMost = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int queue[kPlaces];
static int put_in, taken_out;
static int n = 3;

static void put(int item) {
  pthread_mutex_lock(&mutex);
  while (put_in - taken_out == kPlaces) pthread_cond_wait(&not_full, &mutex);
  queue[put_in++ % kPlaces] = item;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int take(void) {
  pthread_mutex_lock(&mutex);
  while (put_in == taken_out) pthread_cond_wait(&not_empty, &mutex);
  int item = queue[taken_out++ % kPlaces];
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return item;
}

static void* produce(void* unused) {
  for (int i = 0; i < n; ++i) put(i);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 0 || n > kMost) {
    fprintf(stderr, "usage: bounded_queue [0..%d]\n", kMost);
    return 2;
  }
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < n; ++i) {
    int item = take();
    assert(item == i);
  }
  pthread_join(producer, NULL);
  return 0;
}
