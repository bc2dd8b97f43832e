// A mutex belongs to the thread that locked it. Here one thread locks it and another one unlocks it, as if it
// were a semaphore: that is undefined behaviour, even where it seems to work.
//   mcmini unlock_of_another
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static void* enter(void* unused) {
  pthread_mutex_lock(&door);
  return unused;
}

static void* open_door(void* unused) {
  pthread_mutex_unlock(&door);
  return unused;
}

int main(void) {
  pthread_t guest, host;
  pthread_create(&guest, NULL, enter, NULL);
  pthread_create(&host, NULL, open_door, NULL);
  pthread_join(guest, NULL);
  pthread_join(host, NULL);
  return 0;
}
