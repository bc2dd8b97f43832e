// What threads do when main is already done.
//   late_assertion  a detached thread fails an assertion after main has returned
//   left_waiting    main returns with a lock in its hands that another thread waits for
//   self_deadlock   a thread locks a mutex twice
//   forgotten       a thread ends with a lock in its hands, and another one waits for it
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* fail(void* unused) {
  pthread_mutex_lock(&lock);
  assert(!"the thread was to be gone by now");
  return unused;
}

static void* take(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* take_twice(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return unused;
}

static void* keep(void* unused) {
  printf("the lock is mine\n");
  pthread_mutex_lock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  (void)argc;
  pthread_t thread;
  if (strcmp(argv[1], "late_assertion") == 0) {
    pthread_create(&thread, NULL, fail, NULL);
    pthread_detach(thread);
    return 0;
  }
  if (strcmp(argv[1], "left_waiting") == 0) {
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, take, NULL);
    return 0;
  }
  pthread_create(&thread, NULL, strcmp(argv[1], "forgotten") == 0 ? keep : take_twice, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&lock);
  return 0;
}
