/* The same lock, built on a mutex and a condition variable. */

#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t changes;
  int reading, writing, waiting;
} readers_first_t;

static void readers_first_read(readers_first_t* lock) {
  pthread_mutex_lock(&lock->mutex);
  ++lock->waiting;
  while (lock->writing) pthread_cond_wait(&lock->changes, &lock->mutex);
  --lock->waiting;
  ++lock->reading;
  pthread_mutex_unlock(&lock->mutex);
}

static void readers_first_write(readers_first_t* lock) {
  pthread_mutex_lock(&lock->mutex);
  while (lock->writing || lock->reading > 0 || lock->waiting > 0)
    pthread_cond_wait(&lock->changes, &lock->mutex);
  lock->writing = 1;
  pthread_mutex_unlock(&lock->mutex);
}

static void readers_first_leave(readers_first_t* lock) {
  pthread_mutex_lock(&lock->mutex);
  if (lock->writing)
    lock->writing = 0;
  else
    --lock->reading;
  pthread_cond_broadcast(&lock->changes);
  pthread_mutex_unlock(&lock->mutex);
}
