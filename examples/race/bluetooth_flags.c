// The driver of a Bluetooth device, as a model, with an atomic counter and plain flags: a request reads
// `stopping` while the other thread writes it, and `stopped` when it is too late. Both are races.
//   mcmini-cc -g -pthread bluetooth_flags.c -o bluetooth_flags && mcmini bluetooth_flags 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static sem_t nobody_left;
static atomic_int pending = 1;  // The driver itself counts as one until it is stopped.
static int stopping, stopped;

static void count_out(void) {
  if (atomic_fetch_sub(&pending, 1) == 1) sem_post(&nobody_left);
}

static void* request(void* unused) {
  if (stopping) return unused;
  atomic_fetch_add(&pending, 1);
  assert(!stopped);
  count_out();
  return unused;
}

static void* stop(void* unused) {
  stopping = 1;
  count_out();
  sem_wait(&nobody_left);
  stopped = 1;
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: bluetooth_flags [1..%d]\n", kMost);
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
