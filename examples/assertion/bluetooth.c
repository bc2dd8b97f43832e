// The driver of a Bluetooth device, as a model: requests are counted, and who stops the driver waits until
// none is left. A request looks whether the driver stops, then counts itself: in between it may be too late.
//   mcmini bluetooth 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t nobody_left;
static int pending = 1;  // The driver itself counts as one until it is stopped.
static int stopping, stopped;

static int is_stopping(void) {
  pthread_mutex_lock(&lock);
  int yes = stopping;
  pthread_mutex_unlock(&lock);
  return yes;
}

static void count_in(void) {
  pthread_mutex_lock(&lock);
  ++pending;
  pthread_mutex_unlock(&lock);
}

static void count_out(void) {
  pthread_mutex_lock(&lock);
  int last = --pending == 0;
  pthread_mutex_unlock(&lock);
  if (last) sem_post(&nobody_left);
}

static void* request(void* unused) {
  if (is_stopping()) return unused;
  count_in();
  pthread_mutex_lock(&lock);
  assert(!stopped);
  pthread_mutex_unlock(&lock);
  count_out();
  return unused;
}

static void* stop(void* unused) {
  pthread_mutex_lock(&lock);
  stopping = 1;
  pthread_mutex_unlock(&lock);
  count_out();
  sem_wait(&nobody_left);
  pthread_mutex_lock(&lock);
  stopped = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: bluetooth [1..%d]\n", kMost);
    return 2;
  }
  pthread_t requester[kMost], stopper;
  sem_init(&nobody_left, 0, 0);
  for (int i = 0; i < n; ++i) pthread_create(&requester[i], NULL, request, NULL);
  pthread_create(&stopper, NULL, stop, NULL);
  for (int i = 0; i < n; ++i) pthread_join(requester[i], NULL);
  pthread_join(stopper, NULL);
  return 0;
}
