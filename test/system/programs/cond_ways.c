// Condition variables. How many behaviours each has is derived in the test.
//   handover   one waits until the other one has signalled
//   timed      the same with a time limit
//   clock      the same by the other clock
//   monotonic  the same, where the condition variable has that clock
//   invalid    a time limit that is none; no thread
//   shown      main waits in vain, and fails an assertion; no thread
//   broadcast  main wakes two
//   latecomer  main wakes all, and then one who has come since
//   lost       a signal that may come too early
//   unlocked   the signal comes after the mutex is given back
//   destroyed  who was woken does not need it any more
//   rebound    who was woken does not keep others from waiting with another mutex
//   robust     main waits with a mutex whose owner has died, and gives it up for good by that
//   gone       the mutex is given up for good while somebody waits
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void* await(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) assert(pthread_cond_wait(&cond, &mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* await_anything(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* wake(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* wake_later(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&cond);
  return unused;
}

static void* wake_anyway(void* unused) {
  pthread_cond_signal(&cond);
  return unused;
}

static int wait_until(clockid_t clock, int named, const struct timespec* limit) {
  return named ? pthread_cond_clockwait(&cond, &mutex, clock, limit)
               : pthread_cond_timedwait(&cond, &mutex, limit);
}

static void await_by(clockid_t clock, int named) {
  struct timespec limit;
  struct timespec now;
  clock_gettime(clock, &limit);
  limit.tv_sec += 60;
  pthread_mutex_lock(&mutex);
  int result = ready ? 0 : wait_until(clock, named, &limit);
  clock_gettime(clock, &now);
  assert(result == 0 || (result == ETIMEDOUT && now.tv_sec >= limit.tv_sec));
  pthread_mutex_unlock(&mutex);
}

static void* await_in_time(void* unused) {
  await_by(CLOCK_REALTIME, 0);
  return unused;
}

static void* await_by_clock(void* unused) {
  await_by(CLOCK_MONOTONIC, 1);
  return unused;
}

static void* await_by_own_clock(void* unused) {
  await_by(CLOCK_MONOTONIC, 0);
  return unused;
}

static void run(void* (*first_routine)(void*), void* (*second_routine)(void*)) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, NULL);
  pthread_create(&second, NULL, second_routine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void monotonic(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&cond, &attributes);
  run(await_by_own_clock, wake);
  pthread_cond_destroy(&cond);
}

static void invalid(void) {
  struct timespec limit = {0, 1000000000};
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_timedwait(&cond, &mutex, &limit) == EINVAL);
  assert(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &limit) == EINVAL);
  pthread_mutex_unlock(&mutex);
}

static void shown(void) {
  await_by(CLOCK_MONOTONIC, 1);
  assert(!"woken");
}

static void broadcast(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, await, NULL);
  pthread_create(&second, NULL, await, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static int late;

static void* await_late(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!late) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void latecomer(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, await, NULL);
  pthread_create(&second, NULL, await_late, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  late = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void destroyed(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, await, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&cond);
  pthread_cond_destroy(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}

static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
static int arrived;

static void* arrive_and_await(void* unused) {
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  arrived = 1;
  pthread_cond_signal(&arrival);
  int result = 0;
  while (!ready && result == 0) result = pthread_cond_wait(&cond, &mutex);
  if (result == ENOTRECOVERABLE) return &ready;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void await_arrival(void) {
  pthread_mutex_lock(&mutex);
  while (!arrived) pthread_cond_wait(&arrival, &mutex);
}

static void rebound(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, arrive_and_await, NULL);
  await_arrival();
  ready = 1;
  pthread_cond_signal(&cond);
  struct timespec now = {0, 0};
  pthread_mutex_lock(&other);
  assert(pthread_cond_timedwait(&cond, &other, &now) == ETIMEDOUT);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}

static void* die_with_it(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

static void make_robust(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
}

static void let_die(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, die_with_it, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
}

static void robust(void) {
  struct timespec now = {0, 0};
  make_robust();
  let_die();
  assert(pthread_cond_timedwait(&cond, &mutex, &now) == ENOTRECOVERABLE);
}

static void gone(void) {
  pthread_t thread;
  make_robust();
  pthread_create(&thread, NULL, arrive_and_await, NULL);
  await_arrival();
  pthread_mutex_unlock(&mutex);
  let_die();
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&cond);
  void* result = NULL;
  pthread_join(thread, &result);
  assert(result == &ready);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "handover") == 0) run(await, wake);
  if (strcmp(what, "timed") == 0) run(await_in_time, wake);
  if (strcmp(what, "clock") == 0) run(await_by_clock, wake);
  if (strcmp(what, "monotonic") == 0) monotonic();
  if (strcmp(what, "invalid") == 0) invalid();
  if (strcmp(what, "shown") == 0) shown();
  if (strcmp(what, "broadcast") == 0) broadcast();
  if (strcmp(what, "latecomer") == 0) latecomer();
  if (strcmp(what, "lost") == 0) run(await_anything, wake_anyway);
  if (strcmp(what, "unlocked") == 0) run(await, wake_later);
  if (strcmp(what, "destroyed") == 0) destroyed();
  if (strcmp(what, "rebound") == 0) rebound();
  if (strcmp(what, "robust") == 0) robust();
  if (strcmp(what, "gone") == 0) gone();
  return 0;
}
