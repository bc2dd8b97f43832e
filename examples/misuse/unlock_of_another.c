// A mutex belongs to the thread that locked it. Here another thread unlocks it, as if it were a semaphore,
// which is undefined behaviour: others may now be in the critical section together with main.
//   mcmini unlock_of_another
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static void* open_door(void* unused) {
  pthread_mutex_unlock(&door);
  return unused;
}

int main(void) {
  pthread_t host;
  pthread_mutex_lock(&door);
  pthread_create(&host, NULL, open_door, NULL);
  pthread_join(host, NULL);
  pthread_mutex_unlock(&door);
  return 0;
}
