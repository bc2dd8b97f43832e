// A thread that waits for another one by looking at a variable again and again. It calls no function of the
// thread library while it looks, so under mcmini nobody else gets a turn, and it is reported as stuck.
//   mcmini --step-timeout 1s busy_wait
#include <pthread.h>
#include <stddef.h>

static volatile int ready;

static void* prepare(void* unused) {
  ready = 1;
  return unused;
}

static void* await(void* unused) {
  while (!ready) continue;
  return unused;
}

int main(void) {
  pthread_t waiter, worker;
  pthread_create(&waiter, NULL, await, NULL);
  pthread_create(&worker, NULL, prepare, NULL);
  pthread_join(waiter, NULL);
  pthread_join(worker, NULL);
  return 0;
}
