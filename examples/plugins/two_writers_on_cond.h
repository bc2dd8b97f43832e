/* The same lock, built on a mutex and condition variables. */

#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t readers, first, second;
  int reading, writing;
} two_writers_t;

static void two_writers_read(two_writers_t* lock) {
  pthread_mutex_lock(&lock->mutex);
  while (lock->writing) pthread_cond_wait(&lock->readers, &lock->mutex);
  ++lock->reading;
  pthread_mutex_unlock(&lock->mutex);
}

static void two_writers_write(two_writers_t* lock, pthread_cond_t* kind) {
  pthread_mutex_lock(&lock->mutex);
  while (lock->writing || lock->reading) pthread_cond_wait(kind, &lock->mutex);
  lock->writing = 1;
  pthread_mutex_unlock(&lock->mutex);
}

static void two_writers_write_first(two_writers_t* lock) {
  two_writers_write(lock, &lock->first);
}

static void two_writers_write_second(two_writers_t* lock) {
  two_writers_write(lock, &lock->second);
}

static void two_writers_leave(two_writers_t* lock) {
  pthread_mutex_lock(&lock->mutex);
  if (lock->writing)
    lock->writing = 0;
  else
    --lock->reading;
  if (lock->reading == 0) {
    pthread_cond_broadcast(&lock->readers);
    pthread_cond_signal(&lock->first);
    pthread_cond_signal(&lock->second);
  }
  pthread_mutex_unlock(&lock->mutex);
}
