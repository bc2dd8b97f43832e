/* The same semaphore, built on a mutex and a condition variable. */

#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t posts;
  int posted;
} binary_semaphore_t;

static void binary_semaphore_post(binary_semaphore_t* semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  assert(!semaphore->posted);
  semaphore->posted = 1;
  pthread_cond_signal(&semaphore->posts);
  pthread_mutex_unlock(&semaphore->mutex);
}

static void binary_semaphore_wait(binary_semaphore_t* semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  while (!semaphore->posted) pthread_cond_wait(&semaphore->posts, &semaphore->mutex);
  semaphore->posted = 0;
  pthread_mutex_unlock(&semaphore->mutex);
}
