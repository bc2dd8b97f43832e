// Two threads at one mutex, in other ways than by lock and unlock alone.
//   trylock_lock     one tries, the other one locks
//   trylock_trylock  both try
//   recursive        both lock it twice, which a recursive one allows
//   errorcheck       both lock it twice, which an error-checking one refuses without waiting
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void* lock(void* unused) {
  pthread_mutex_lock(&normal);
  pthread_mutex_unlock(&normal);
  return unused;
}

static void* try(void* unused) {
  int result = pthread_mutex_trylock(&normal);
  assert(result == 0 || result == EBUSY);
  if (result == 0) pthread_mutex_unlock(&normal);
  return unused;
}

static void* lock_recursively(void* unused) {
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  return unused;
}

static void* lock_checked(void* unused) {
  assert(pthread_mutex_lock(&errorcheck) == 0);
  assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
  assert(pthread_mutex_unlock(&errorcheck) == 0);
  return unused;
}

static void run(void* (*first_routine)(void*), void* (*second_routine)(void*)) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, NULL);
  pthread_create(&second, NULL, second_routine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "trylock_lock") == 0) run(try, lock);
  if (strcmp(what, "trylock_trylock") == 0) run(try, try);
  if (strcmp(what, "recursive") == 0) run(lock_recursively, lock_recursively);
  if (strcmp(what, "errorcheck") == 0) run(lock_checked, lock_checked);
  return 0;
}
