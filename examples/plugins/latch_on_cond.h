/* The same latch, built on a mutex and a condition variable. */

#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t opened;
  unsigned count;
} latch_t;

static void latch_init(latch_t* latch, unsigned count) {
  latch->count = count;
}

static void latch_count_down(latch_t* latch) {
  pthread_mutex_lock(&latch->mutex);
  if (latch->count > 0 && --latch->count == 0) pthread_cond_broadcast(&latch->opened);
  pthread_mutex_unlock(&latch->mutex);
}

static void latch_wait(latch_t* latch) {
  pthread_mutex_lock(&latch->mutex);
  while (latch->count > 0) pthread_cond_wait(&latch->opened, &latch->mutex);
  pthread_mutex_unlock(&latch->mutex);
}
