// Readers and writers of two halves that belong together, with a pthread_rwlock. Readers do not mind one
// another, so with one writer all that differs is who of n readers comes before it: 2^n behaviours.
//   mcmini readers_writers_rwlock 3 1 writers
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 8 };

static pthread_rwlock_t lock;
static int first, second;
static int rounds = 1;

static void* read_both(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    pthread_rwlock_rdlock(&lock);
    assert(first == second);
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

static void* write_both(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    pthread_rwlock_wrlock(&lock);
    ++first;
    ++second;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

int main(int argc, char** argv) {
  int readers = argc > 1 ? atoi(argv[1]) : 2;
  int writers = argc > 2 ? atoi(argv[2]) : 1;
  if (argc > 4) rounds = atoi(argv[4]);
  if (readers < 0 || readers > kMost || writers < 0 || writers > kMost) {
    fprintf(stderr, "usage: readers_writers_rwlock [0..%d [0..%d [readers|writers [ROUNDS]]]]\n", kMost,
            kMost);
    return 2;
  }
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  if (argc > 3 && strcmp(argv[3], "writers") == 0)
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
  pthread_t reader[kMost], writer[kMost];
  for (int i = 0; i < readers; ++i) pthread_create(&reader[i], NULL, read_both, NULL);
  for (int i = 0; i < writers; ++i) pthread_create(&writer[i], NULL, write_both, NULL);
  for (int i = 0; i < readers; ++i) pthread_join(reader[i], NULL);
  for (int i = 0; i < writers; ++i) pthread_join(writer[i], NULL);
  pthread_rwlock_destroy(&lock);
  return 0;
}
