// n readers and a writer. The readers do not mind one another, so all that can differ is who of them comes
// before the writer: 2^n behaviours. Where readers let a waiting writer pass it is the same: each reader
// comes before the writer or after it, and one that comes after the writer has begun to wait comes after it.
//   mcmini rwlock_readers 3 [writers_first]
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_rwlock_t lock;
static int first, second;

static void* read_both(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(first == second);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* write_both(void* unused) {
  pthread_rwlock_wrlock(&lock);
  ++first;
  ++second;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (n < 1 || n > kMost) return 2;
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  if (argc > 2) pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
  pthread_t reader[kMost], writer;
  for (int i = 0; i < n; ++i) pthread_create(&reader[i], NULL, read_both, NULL);
  pthread_create(&writer, NULL, write_both, NULL);
  for (int i = 0; i < n; ++i) pthread_join(reader[i], NULL);
  pthread_join(writer, NULL);
  pthread_rwlock_destroy(&lock);
  return 0;
}
