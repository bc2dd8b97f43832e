// Threads that share nothing: each has a mutex and a number of its own. They can be interleaved in a great
// many ways, and no two of these ways can be told apart, so one run is enough, for any number of threads.
//   mcmini independent 100
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 2000 };

static struct {
  pthread_mutex_t lock;
  int number;
} own[kMost];

static void* work(void* which) {
  long i = (long)which;
  pthread_mutex_lock(&own[i].lock);
  own[i].number += 1;
  pthread_mutex_unlock(&own[i].lock);
  return NULL;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: independent [1..%d]\n", kMost);
    return 2;
  }
  static pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_mutex_init(&own[i].lock, NULL);
  for (long i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
