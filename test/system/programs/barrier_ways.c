// clang-format off
// Threads at a barrier.
//   meet n r    n threads meet r times, and nothing else: in which order they come does not matter, 1 behaviour;
//               one thread per round is told that it is the one
//   phases n    each of n threads writes its cell, and reads another one's when all have met: 1
//   pairs       three threads at a barrier for two: whoever comes last waits for ever. They come in 3! orders,
//               and each of the first two leaves before the third one comes or after: 3! * 2 * 2 = 24, all
//               deadlocks
//   missing     two threads at a barrier for three: they wait for ever, 1 behaviour
//   last        the thread that is told destroys the barrier, as the others may not have left it yet: 1
// clang-format on
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 6 };

static pthread_barrier_t barrier;
static int n = 2, rounds = 1;
static int told;  // touched by the one that is told, before the next round can be complete
static int cell[kMost];

static void* meet(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result != 0) ++told;
  }
  return unused;
}

static void* write_and_read(void* mine) {
  int i = (int)((int*)mine - cell);
  cell[i] = 1;
  pthread_barrier_wait(&barrier);
  assert(cell[(i + 1) % n] == 1);
  return NULL;
}

static void* destroy_if_told(void* unused) {
  if (pthread_barrier_wait(&barrier) != 0) assert(pthread_barrier_destroy(&barrier) == 0);
  return unused;
}

static void run(void* (*routine)(void*), int threads, unsigned count) {
  pthread_t thread[kMost];
  assert(pthread_barrier_init(&barrier, NULL, count) == 0);
  for (int i = 0; i < threads; ++i) pthread_create(&thread[i], NULL, routine, &cell[i]);
  for (int i = 0; i < threads; ++i) pthread_join(thread[i], NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (argc > 2) n = atoi(argv[2]);
  if (argc > 3) rounds = atoi(argv[3]);
  if (n < 1 || n > kMost) return 2;
  assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  if (strcmp(what, "meet") == 0) {
    run(meet, n, (unsigned)n);
    assert(told == rounds);
    pthread_barrier_destroy(&barrier);
  }
  if (strcmp(what, "phases") == 0) run(write_and_read, n, (unsigned)n);
  if (strcmp(what, "pairs") == 0) run(meet, 3, 2);
  if (strcmp(what, "missing") == 0) run(meet, 2, 3);
  if (strcmp(what, "last") == 0) run(destroy_if_told, 3, 3);
  return 0;
}
