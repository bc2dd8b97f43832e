// A circle of n threads, each of which holds a lock that the one before it wants, and a thread beside them
// that has nothing to do with it. It adds no behaviour: 2^n - 1, and one of them is the deadlock.
//   mcmini circular_wait 3
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 16 };

static int n = 2;
static pthread_mutex_t lock[kMost];
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void* hold_and_want(void* which) {
  int held = (int)(long)which;
  int wanted = (held + 1) % n;
  pthread_mutex_lock(&lock[held]);
  pthread_mutex_lock(&lock[wanted]);
  pthread_mutex_unlock(&lock[wanted]);
  pthread_mutex_unlock(&lock[held]);
  return NULL;
}

static void* stand_aside(void* unused) {
  pthread_mutex_lock(&own);
  pthread_mutex_unlock(&own);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 2 || n > kMost) {
    fprintf(stderr, "usage: circular_wait [2..%d]\n", kMost);
    return 2;
  }
  pthread_t thread[kMost], bystander;
  for (int i = 0; i < n; ++i) pthread_mutex_init(&lock[i], NULL);
  pthread_create(&bystander, NULL, stand_aside, NULL);
  for (long i = 0; i < n; ++i) pthread_create(&thread[i], NULL, hold_and_want, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  pthread_join(bystander, NULL);
  return 0;
}
