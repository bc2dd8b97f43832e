// Main returns while a thread is at a lock that lies on main's stack, the last one of as many as it is told.
#include <pthread.h>
#include <stdlib.h>

static void* use(void* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_mutex_t mutexes[atoi(argc > 1 ? argv[1] : "1")];
  pthread_mutex_t* last = mutexes + sizeof mutexes / sizeof *mutexes - 1;
  pthread_t thread;
  pthread_mutex_init(last, NULL);
  pthread_create(&thread, NULL, use, last);
  pthread_mutex_lock(last);
  pthread_mutex_unlock(last);
  return 0;
}
