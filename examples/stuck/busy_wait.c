// A thread waits for another one by looking at a variable again and again, and holds the lock meanwhile that
// the other one needs to set it. It calls no function of the thread library while it looks: it is stuck.
//   mcmini --step-timeout 1s busy_wait
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;

static void* await(void* unused) {
  pthread_mutex_lock(&lock);
  while (!ready) continue;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* prepare(void* unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
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
