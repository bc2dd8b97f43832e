// Runs of a given length: growth end|start THREADS OPERATIONS LOCKS. Each thread locks and unlocks a mutex of
// its own until the run has about so many operations. At its end, or at its start, two of them take each of
// so many locks in turn, one after the other: 2^LOCKS behaviours, or fewer where one order rules out another.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kMostThreads = 512, kMostLocks = 8 };

static pthread_mutex_t own[kMostThreads];
static pthread_mutex_t shared[kMostLocks];
static int locks, times, at_start;

static void fight(long thread) {
  if (thread > 1) return;
  for (int i = 0; i < locks; ++i) {
    pthread_mutex_lock(&shared[i]);
    pthread_mutex_unlock(&shared[i]);
  }
}

static void* work(void* which) {
  long i = (long)which;
  if (at_start) fight(i);
  for (int k = 0; k < times; ++k) {
    pthread_mutex_lock(&own[i]);
    pthread_mutex_unlock(&own[i]);
  }
  if (!at_start) fight(i);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  int n = atoi(argv[2]);
  locks = atoi(argv[4]);
  if (n < 2 || n > kMostThreads || locks < 0 || locks > kMostLocks) return 2;
  at_start = strcmp(argv[1], "start") == 0;
  int others = 4 * n;  // create, start, end, join
  times = (atoi(argv[3]) - others) / (2 * n);
  static pthread_t thread[kMostThreads];
  for (long i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
