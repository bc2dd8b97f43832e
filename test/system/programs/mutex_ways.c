// Mutexes of all kinds, and the ways to lock them. Two threads each, unless it says otherwise.
//   timed          one locks, the other one waits until a certain time
//   clock          the same by another clock
//   invalid        the same with a time limit that is none
//   shown          main waits for what it has itself, and fails an assertion; no thread
//   recursive      both lock one twice that attributes made recursive
//   adaptive       both lock glibc's adaptive one
//   inherit        both lock one that inherits priorities
//   ceiling        main asks for the priority ceiling and changes it; no thread
//   protected      both lock one that has a priority ceiling
//   attributes     main sets the ceiling before the mutex is made
//   refused        main makes mistakes that an error-checking mutex refuses; no thread
//   robust         one ends with it in its hands; the other one gets it, and makes it consistent
//   robust_try     the same with an attempt to lock it
//   unrecoverable  nobody makes it consistent
//   many           main destroys very many and makes them anew, without a call; no thread
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t other;  // initialized by a call

static void* lock(void* chosen) {
  assert(pthread_mutex_lock(chosen) == 0);
  assert(pthread_mutex_unlock(chosen) == 0);
  return NULL;
}

static struct timespec in_a_minute(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 60;
  return time;
}

static void check_limit(int result, clockid_t clock, struct timespec limit) {
  struct timespec now;
  clock_gettime(clock, &now);
  assert(result == 0 || result == ETIMEDOUT);
  assert(result == 0 || now.tv_sec >= limit.tv_sec);
  if (result == 0) pthread_mutex_unlock(&mutex);
}

static void* lock_in_time(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_REALTIME);
  check_limit(pthread_mutex_timedlock(&mutex, &limit), CLOCK_REALTIME, limit);
  return unused;
}

static void* lock_by_clock(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_MONOTONIC);
  check_limit(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &limit), CLOCK_MONOTONIC, limit);
  return unused;
}

static void* lock_without_limit(void* unused) {
  struct timespec limit = {0, -1};
  int result = pthread_mutex_timedlock(&mutex, &limit);
  assert(result == 0 || result == EINVAL);
  if (result == 0) pthread_mutex_unlock(&mutex);
  return unused;
}

static void* lock_twice(void* chosen) {
  assert(pthread_mutex_lock(chosen) == 0);
  assert(pthread_mutex_trylock(chosen) == 0);
  assert(pthread_mutex_unlock(chosen) == 0);
  assert(pthread_mutex_unlock(chosen) == 0);
  return NULL;
}

static void* keep(void* unused) {
  int result = pthread_mutex_lock(&other);
  assert(result == 0 || result == EOWNERDEAD);
  return unused;
}

static void* recover(void* unused) {
  int result = pthread_mutex_lock(&other);
  if (result == EOWNERDEAD)
    assert(pthread_mutex_consistent(&other) == 0);
  else
    assert(result == 0 && pthread_mutex_consistent(&other) == EINVAL);
  assert(pthread_mutex_unlock(&other) == 0);
  return unused;
}

static void* try_to_recover(void* unused) {
  int result = pthread_mutex_trylock(&other);
  assert(result == 0 || result == EBUSY || result == EOWNERDEAD);
  if (result == EOWNERDEAD) assert(pthread_mutex_consistent(&other) == 0);
  if (result != EBUSY) assert(pthread_mutex_unlock(&other) == 0);
  return unused;
}

static void run(void* (*first_routine)(void*), void* (*second_routine)(void*), void* argument) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, argument);
  pthread_create(&second, NULL, second_routine, argument);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void initialize(int type, int protocol, int robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_settype(&attributes, type) == 0);
  assert(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
  assert(pthread_mutexattr_setrobust(&attributes, robust) == 0);
  assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_mutex_init(&other, &attributes) == 0);
  pthread_mutexattr_destroy(&attributes);
}

static void initialize_robust(void) {
  initialize(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
}

// The ceiling is one of the priorities of SCHED_FIFO: a mutex has the lowest one unless its attributes say
// otherwise, and only one that was made with PTHREAD_PRIO_PROTECT has any.
static void ceiling(void) {
  int lowest = sched_get_priority_min(SCHED_FIFO);
  int highest = sched_get_priority_max(SCHED_FIFO);
  int now = 0;
  int before = 0;
  initialize(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_PROTECT, PTHREAD_MUTEX_STALLED);
  assert(pthread_mutex_getprioceiling(&other, &now) == 0 && now == lowest);
  assert(pthread_mutex_setprioceiling(&other, highest, &before) == 0 && before == lowest);
  assert(pthread_mutex_setprioceiling(&other, lowest + 1, &before) == 0 && before == highest);
  assert(pthread_mutex_setprioceiling(&other, highest + 1, &before) == EINVAL);
  assert(pthread_mutex_setprioceiling(&other, lowest - 1, &before) == EINVAL);
  assert(pthread_mutex_getprioceiling(&other, &now) == 0 && now == lowest + 1);
  assert(pthread_mutex_getprioceiling(&mutex, &now) == EINVAL);
  assert(pthread_mutex_setprioceiling(&mutex, lowest, &before) == EINVAL);
  assert(pthread_mutex_destroy(&other) == 0);
}

// Who may not have that priority may not lock it. Without privileges nobody may.
static void* lock_protected(void* unused) {
  int result = pthread_mutex_lock(&other);
  assert(result == 0 || result == EINVAL || result == EPERM);
  if (result == 0) pthread_mutex_unlock(&other);
  return unused;
}

static void ceiling_of_attributes(void) {
  pthread_mutexattr_t attributes;
  int protocol = 0;
  int now = 0;
  int highest = sched_get_priority_max(SCHED_FIFO);
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
  assert(pthread_mutexattr_getprotocol(&attributes, &protocol) == 0 && protocol == PTHREAD_PRIO_PROTECT);
  assert(pthread_mutexattr_setprioceiling(&attributes, highest + 1) == EINVAL);
  assert(pthread_mutexattr_setprioceiling(&attributes, highest) == 0);
  assert(pthread_mutexattr_getprioceiling(&attributes, &now) == 0 && now == highest);
  assert(pthread_mutex_init(&other, &attributes) == 0);
  assert(pthread_mutex_getprioceiling(&other, &now) == 0 && now == highest);
  assert(pthread_mutex_destroy(&other) == 0);
  pthread_mutexattr_destroy(&attributes);
}

static void shown(void) {
  struct timespec limit = in_a_minute(CLOCK_MONOTONIC);
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &limit) == 0);
}

static void refused(void) {
  assert(pthread_mutex_unlock(&errorcheck) == EPERM);
  assert(pthread_mutex_lock(&errorcheck) == 0);
  assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
  assert(pthread_mutex_trylock(&errorcheck) == EBUSY);
  assert(pthread_mutex_unlock(&errorcheck) == 0);
}

static void unrecoverable(void) {
  pthread_t thread;
  initialize_robust();
  pthread_create(&thread, NULL, keep, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&other) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&other) == 0);
  assert(pthread_mutex_lock(&other) == ENOTRECOVERABLE);
  assert(pthread_mutex_trylock(&other) == ENOTRECOVERABLE);
  assert(pthread_mutex_destroy(&other) == 0);
}

static void many(void) {
  enum { kMany = 2000 };
  static pthread_mutex_t all[kMany];
  const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kMany; ++i) all[i] = fresh;
    for (int i = 0; i < kMany; ++i) assert(pthread_mutex_lock(&all[i]) == 0);
    for (int i = 0; i < kMany; ++i) assert(pthread_mutex_unlock(&all[i]) == 0);
    for (int i = 0; i < kMany; ++i) assert(pthread_mutex_destroy(&all[i]) == 0);
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "timed") == 0) run(lock, lock_in_time, &mutex);
  if (strcmp(what, "clock") == 0) run(lock, lock_by_clock, &mutex);
  if (strcmp(what, "shown") == 0) shown();
  if (strcmp(what, "invalid") == 0) run(lock, lock_without_limit, &mutex);
  if (strcmp(what, "recursive") == 0) {
    initialize(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
    run(lock_twice, lock_twice, &other);
  }
  if (strcmp(what, "adaptive") == 0) run(lock, lock, &adaptive);
  if (strcmp(what, "inherit") == 0) {
    initialize(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
    run(lock, lock, &other);
  }
  if (strcmp(what, "ceiling") == 0) ceiling();
  if (strcmp(what, "protected") == 0) {
    initialize(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_PROTECT, PTHREAD_MUTEX_STALLED);
    run(lock_protected, lock_protected, NULL);
  }
  if (strcmp(what, "attributes") == 0) ceiling_of_attributes();
  if (strcmp(what, "refused") == 0) refused();
  if (strcmp(what, "robust") == 0) {
    initialize_robust();
    run(keep, recover, NULL);
  }
  if (strcmp(what, "robust_try") == 0) {
    initialize_robust();
    run(keep, try_to_recover, NULL);
  }
  if (strcmp(what, "unrecoverable") == 0) unrecoverable();
  if (strcmp(what, "many") == 0) many();
  return 0;
}
