// Mutexes on the heap. Which thread allocates first must not change which mutex is which.
//   private    every thread allocates one under a common lock and uses it alone
//   reused     the same without the common lock: a block freed by one thread must not turn up in another
//   handed_on  two threads allocate and fill a list; two others take from it, lock, free, and allocate anew
//   shared     each of two threads allocates one, and its own child and itself lock it
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t* list[4];
static int put, taken;

static pthread_mutex_t* allocate(void) {
  pthread_mutex_t* mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, NULL);
  return mutex;
}

static void use(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static void drop(pthread_mutex_t* mutex) {
  pthread_mutex_destroy(mutex);
  free(mutex);
}

static void* allocate_in_turn(void* unused) {
  pthread_mutex_lock(&common);
  pthread_mutex_t* mutex = allocate();
  pthread_mutex_unlock(&common);
  use(mutex);
  drop(mutex);
  return unused;
}

static void* allocate_twice(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_t* mutex = allocate();
    use(mutex);
    drop(mutex);
  }
  return unused;
}

static void* produce(void* unused) {
  pthread_mutex_t* mutex = allocate();
  pthread_mutex_lock(&common);
  list[put++] = mutex;
  pthread_mutex_unlock(&common);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&common);
  pthread_mutex_t* mutex = list[taken++];
  pthread_mutex_unlock(&common);
  use(mutex);
  drop(mutex);
  mutex = allocate();
  use(mutex);
  drop(mutex);
  return unused;
}

static void* use_it(void* mutex) {
  use(mutex);
  return NULL;
}

static void* share_with_child(void* unused) {
  pthread_mutex_t* mutex = allocate();
  pthread_t child;
  pthread_create(&child, NULL, use_it, mutex);
  use(mutex);
  pthread_join(child, NULL);
  drop(mutex);
  return unused;
}

static void run(int n, void* (*routine)(void*)) {
  pthread_t thread[8];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, routine, NULL);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "private") == 0) run(3, allocate_in_turn);
  if (strcmp(what, "reused") == 0) run(3, allocate_twice);
  if (strcmp(what, "shared") == 0) run(2, share_with_child);
  if (strcmp(what, "handed_on") == 0) {
    run(2, produce);
    run(2, consume);
  }
  return 0;
}
