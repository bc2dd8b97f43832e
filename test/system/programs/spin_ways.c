// clang-format off
// Threads at a spinlock.
//   lock   n threads count under the lock: the order in which they enter, n! behaviours
//   try    two threads try it. Who tries first, and whether the other one tries before or after it was unlocked:
//          2 * 2 = 4
//   twice  a thread locks what it has: it waits for itself, 1 behaviour, a deadlock
// clang-format on
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 8 };

static pthread_spinlock_t lock;
static int count;

static void* step(void* unused) {
  pthread_spin_lock(&lock);
  ++count;
  pthread_spin_unlock(&lock);
  return unused;
}

static void* try(void* unused) {
  int result = pthread_spin_trylock(&lock);
  assert(result == 0 || result == EBUSY);
  if (result == 0) pthread_spin_unlock(&lock);
  return unused;
}

static void* take_twice(void* unused) {
  pthread_spin_lock(&lock);
  pthread_spin_lock(&lock);
  return unused;
}

static void run(void* (*routine)(void*), int n) {
  pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, routine, NULL);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 2;
  if (n < 1 || n > kMost) return 2;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  if (strcmp(what, "lock") == 0) {
    run(step, n);
    assert(count == n);
  }
  if (strcmp(what, "try") == 0) run(try, 2);
  if (strcmp(what, "twice") == 0) run(take_twice, 1);
  pthread_spin_destroy(&lock);
  return 0;
}
