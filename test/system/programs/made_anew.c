// Objects that are destroyed, and then made anew by what initializes them, without a call. Two threads use
// each at the same time, before and after.
//   mutex   they lock it
//   cond    they signal, though nobody waits
//   rwlock  they read
//   early   a thread may lock a mutex before it is destroyed, and still have it then
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void* lock(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* wake(void* unused) {
  pthread_cond_signal(&cond);
  return unused;
}

static void* look(void* unused) {
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  return unused;
}

static void run(void* (*routine)(void*)) {
  pthread_t first, second;
  pthread_create(&first, NULL, routine, NULL);
  pthread_create(&second, NULL, routine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void make_mutex_anew(void) {
  pthread_mutex_destroy(&mutex);
  mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "mutex") == 0) {
    run(lock);
    make_mutex_anew();
    run(lock);
  }
  if (strcmp(what, "cond") == 0) {
    run(wake);
    pthread_cond_destroy(&cond);
    cond = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    run(wake);
  }
  if (strcmp(what, "rwlock") == 0) {
    run(look);
    pthread_rwlock_destroy(&rwlock);
    rwlock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    run(look);
  }
  if (strcmp(what, "early") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, lock, NULL);
    make_mutex_anew();
    pthread_join(thread, NULL);
  }
  return 0;
}
