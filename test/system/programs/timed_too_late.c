// Waits whose time is up while somebody else has the mutex.
//   asserts     what is waited for has not come when the time is up: wrong, its signal comes too late
//   passed_on   the signal is for the one who still waits, or is passed on to it
//   owner_ends  who has the mutex ends with it
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t robust;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static int ended;

static int wait_for_a_while(pthread_mutex_t* with) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  return pthread_cond_timedwait(&cond, with, &limit);
}

static void* make_ready(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* assert_in_vain(void* unused) {
  int result = 0;
  pthread_mutex_lock(&mutex);
  while (!ready && result == 0) result = wait_for_a_while(&mutex);
  if (result == ETIMEDOUT) assert(!ready);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* await_or_pass_on(void* unused) {
  pthread_mutex_lock(&mutex);
  if (!ready && wait_for_a_while(&mutex) == 0) pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* await(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* end_with_it(void* unused) {
  pthread_mutex_lock(&robust);
  ended = 1;
  return unused;
}

static void* await_end(void* unused) {
  int result = pthread_mutex_lock(&robust);
  if (result == 0) {
    result = wait_for_a_while(&robust);
    assert(result == (ended ? EOWNERDEAD : ETIMEDOUT));
  }
  if (result == EOWNERDEAD) assert(pthread_mutex_consistent(&robust) == 0);
  pthread_mutex_unlock(&robust);
  return unused;
}

static void run(void* (*one)(void*), void* (*two)(void*), void* (*three)(void*)) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, two, NULL);
  if (three) pthread_create(&threads[2], NULL, three, NULL);
  for (int i = 0; i < (three ? 3 : 2); ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &attributes);
  if (strcmp(what, "asserts") == 0) run(assert_in_vain, make_ready, NULL);
  if (strcmp(what, "passed_on") == 0) run(await_or_pass_on, await, make_ready);
  if (strcmp(what, "owner_ends") == 0) run(await_end, end_with_it, NULL);
  return 0;
}
