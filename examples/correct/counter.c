// A counter that is protected as it should be: no step of any thread is lost. All that can differ is the
// order in which the n threads enter the critical section, so there are n! behaviours.
//   mcmini counter 4
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* step(void* unused) {
  pthread_mutex_lock(&lock);
  ++count;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: counter [1..%d]\n", kMost);
    return 2;
  }
  pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, step, NULL);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  assert(count == n);
  return 0;
}
