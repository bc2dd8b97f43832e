// Mutexes on the stacks of threads, or in their thread-local storage, each also used by a child of its owner.
#include <pthread.h>
#include <string.h>

static _Thread_local pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void* use(void* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

static void share(pthread_mutex_t* mutex) {
  pthread_t child;
  pthread_create(&child, NULL, use, mutex);
  use(mutex);
  pthread_join(child, NULL);
}

static void* on_stack(void* unused) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  share(&mutex);
  return unused;
}

static void* thread_local_one(void* unused) {
  share(&own);
  return unused;
}

int main(int argc, char** argv) {
  void* (*routine)(void*) = argc > 1 && strcmp(argv[1], "stack") == 0 ? on_stack : thread_local_one;
  pthread_t first, second;
  pthread_create(&first, NULL, routine, NULL);
  pthread_create(&second, NULL, routine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
