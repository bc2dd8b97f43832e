// clang-format off
// Threads that meet at semaphores, each in a way of its own.
//   handover   a waits for what b posts: the wait comes after the post, 1 behaviour
//   posts      three threads post once each, and main takes all three after joining them: 1, since posts commute
//   mutex      three threads take the only token and give it back: who comes first, second, third: 3! = 6
//   places     two threads at a semaphore with two tokens, which keeps nobody waiting. Two waits have an order;
//              two posts have none, nor have a post and a wait that has no need of it: 2
//   shortage   two threads take a token each, of one that is there; a third one posts another. Who gets the first
//              one: 2. The other waits for the post
//   try        two threads try to take the only token and give it back. Who tries first, and whether the other
//              tries before or after it was given back: 2 * 2 = 4
//   timed      the same with a time limit, by either clock: 4
//   value      one thread looks at the value while another one posts: before or after: 2
//   invalid    a time limit that is none is an error only if the thread would have to wait: a post comes before
//              the timed wait or after it: 2
//   long_ago   a time limit before 1970 is over, and no error: 1
//   cross      two semaphores as locks, in opposite order, like ab_ba.c: 3, one of them the deadlock
// clang-format on
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static sem_t s, t;
static const struct timespec soon = {1, 0};
static const struct timespec never = {1, 1000000000};

static void* wait_only(void* unused) {
  assert(sem_wait(&s) == 0);
  return unused;
}

static void* post_only(void* unused) {
  assert(sem_post(&s) == 0);
  return unused;
}

static void* use(void* unused) {
  sem_wait(&s);
  sem_post(&s);
  return unused;
}

static void* try(void* unused) {
  if (sem_trywait(&s) == 0)
    sem_post(&s);
  else
    assert(errno == EAGAIN);
  return unused;
}

// A wait in vain lasts until its time.
static struct timespec in_a_minute(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 60;
  return time;
}

static void check_time(clockid_t clock, struct timespec limit) {
  struct timespec now;
  clock_gettime(clock, &now);
  assert(now.tv_sec >= limit.tv_sec);
}

static void* wait_a_while(void* monotonic) {
  clockid_t clock = monotonic != NULL ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  struct timespec limit = in_a_minute(clock);
  int result = monotonic != NULL ? sem_clockwait(&s, clock, &limit) : sem_timedwait(&s, &limit);
  if (result != 0) {
    assert(errno == ETIMEDOUT);
    check_time(clock, limit);
  } else {
    sem_post(&s);
  }
  return NULL;
}

static void* look(void* unused) {
  int value = -1;
  assert(sem_getvalue(&s, &value) == 0);
  assert(value == 1 || value == 2);
  return unused;
}

static void wait_until_long_ago(void) {
  const struct timespec before_all = {-1, 0};
  assert(sem_timedwait(&s, &before_all) == -1 && errno == ETIMEDOUT);
}

static void* wait_wrongly(void* unused) {
  if (sem_timedwait(&s, &never) != 0) assert(errno == EINVAL);
  return unused;
}

static void* s_then_t(void* unused) {
  sem_wait(&s);
  sem_wait(&t);
  sem_post(&t);
  sem_post(&s);
  return unused;
}

static void* t_then_s(void* unused) {
  sem_wait(&t);
  sem_wait(&s);
  sem_post(&s);
  sem_post(&t);
  return unused;
}

static void run(unsigned value, void* (*first_routine)(void*), void* (*second_routine)(void*),
                void* (*third_routine)(void*)) {
  void* (*routines[])(void*) = {first_routine, second_routine, third_routine};
  pthread_t thread[3];
  assert(sem_init(&s, 0, value) == 0);
  assert(sem_init(&t, 0, 1) == 0);
  for (int i = 0; i < 3; ++i)
    if (routines[i] != NULL) pthread_create(&thread[i], NULL, routines[i], i == 0 ? NULL : &thread[i]);
  for (int i = 0; i < 3; ++i)
    if (routines[i] != NULL) pthread_join(thread[i], NULL);
}

static void expect(int expected) {
  int value = -1;
  assert(sem_getvalue(&s, &value) == 0);
  assert(value == expected);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "handover") == 0) run(0, wait_only, post_only, NULL);
  if (strcmp(what, "posts") == 0) {
    run(0, post_only, post_only, post_only);
    for (int i = 0; i < 3; ++i) sem_wait(&s);
    expect(0);
  }
  if (strcmp(what, "mutex") == 0) run(1, use, use, use);
  if (strcmp(what, "places") == 0) run(2, use, use, NULL);
  if (strcmp(what, "shortage") == 0) run(1, wait_only, wait_only, post_only);
  if (strcmp(what, "long_ago") == 0) {
    run(0, NULL, NULL, NULL);
    wait_until_long_ago();
  }
  if (strcmp(what, "try") == 0) run(1, try, try, NULL);
  if (strcmp(what, "timed") == 0) run(1, wait_a_while, wait_a_while, NULL);
  if (strcmp(what, "value") == 0) run(1, look, post_only, NULL);
  if (strcmp(what, "invalid") == 0) run(0, wait_wrongly, post_only, NULL);
  if (strcmp(what, "cross") == 0) run(1, s_then_t, t_then_s, NULL);
  assert(sem_clockwait(&t, CLOCK_PROCESS_CPUTIME_ID, &soon) == -1 && errno == EINVAL);
  assert(sem_init(&t, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
  sem_destroy(&s);
  sem_destroy(&t);
  return 0;
}
