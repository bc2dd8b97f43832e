// A mutex belongs to the thread that locked it. Here a thread unlocks what it has not locked, which is
// undefined behaviour: it may let others into the critical section while the guest is still in it.
//   mcmini unlock_of_another
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static void* enter(void* unused) {
  pthread_mutex_lock(&door);
  pthread_mutex_unlock(&door);
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
