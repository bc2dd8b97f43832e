// A barrier whose threads do not look again when they wake up: `if` where `while` should be. The only signal
// comes when all are here, so nothing is wrong without a spurious wakeup: it is found under spurious only.
//   mcmini --policy spurious barrier_no_loop 2
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;
static int n = 2;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  if (++arrived == n) pthread_cond_broadcast(&all_here);
  if (arrived < n) pthread_cond_wait(&all_here, &mutex);
  assert(arrived == n);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: barrier_no_loop [1..%d]\n", kMost);
    return 2;
  }
  pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
