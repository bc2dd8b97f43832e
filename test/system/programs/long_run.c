// Threads that lock and unlock very often, each a mutex of its own: long_run THREADS TIMES
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t own[8];
static int times;

static void* work(void* which) {
  pthread_mutex_t* mutex = &own[(long)which];
  for (int i = 0; i < times; ++i) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[1]);
  times = atoi(argv[2]);
  pthread_t thread[8];
  for (long i = 0; i < n; ++i) pthread_create(&thread[i], NULL, work, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
  return 0;
}
