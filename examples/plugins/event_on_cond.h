/* The same event, built on a mutex and a condition variable. */

#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t happens;
  int happened;
} event_t;

static void event_set(event_t* event) {
  pthread_mutex_lock(&event->mutex);
  event->happened = 1;
  pthread_cond_broadcast(&event->happens);
  pthread_mutex_unlock(&event->mutex);
}

static void event_wait(event_t* event) {
  pthread_mutex_lock(&event->mutex);
  while (!event->happened) pthread_cond_wait(&event->happens, &event->mutex);
  pthread_mutex_unlock(&event->mutex);
}
