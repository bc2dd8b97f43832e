// What must not be done to a barrier.
//   uninitialized  a wait at one that nobody has initialized
//   destroyed      a wait at one that has been destroyed
//   while_waiting  a destroy while a thread waits
#include <pthread.h>
#include <string.h>

static pthread_barrier_t barrier;

static void* wait(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "uninitialized") == 0) pthread_barrier_wait(&barrier);
  if (strcmp(what, "destroyed") == 0) {
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_wait(&barrier);
  }
  if (strcmp(what, "while_waiting") == 0) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, wait, NULL);
    pthread_barrier_destroy(&barrier);
    pthread_join(thread, NULL);
  }
  return 0;
}
