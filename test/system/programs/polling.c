// Threads that ask again and again, instead of waiting.
//   yield      for a flag that a lock protects; the other thread sets it
//   look       the same, without giving way to others
//   two_look   both threads, for a flag that main sets
//   in_vain    the same, but nobody sets it
//   yield_in_vain  the same, and the thread gives way
//   getvalue   for a semaphore that the other thread posts, by looking at its value
//   trylock    for a lock that the other thread has for a while
//   trywait    for a semaphore that the other thread posts
//   never      for a semaphore that nobody posts
//   each_other both threads, for what only the other one would post after that
//   back_off   both take two locks, in opposite order, and give the first one back if the second is taken
//   beside     main, for what a thread posts that may wait for another one for ever, and that one for it
//   beside_it  the same, but nobody posts it
//   a_while    the same, and main gives up
//   count      a fixed number of attempts
//   patient    very many attempts
//   long       a thread takes a lock a thousand times, the other one does something else
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static sem_t t;
static int flag;

static void* set_flag(void* unused) {
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* await_flag(void* unused) {
  int seen = 0;
  while (!seen) {
    pthread_mutex_lock(&mutex);
    seen = flag;
    pthread_mutex_unlock(&mutex);
    if (!seen) sched_yield();
  }
  return unused;
}

__attribute__((noinline)) static int look(void) {
  pthread_mutex_lock(&mutex);
  int seen = flag;
  pthread_mutex_unlock(&mutex);
  return seen;
}

static void* look_for_flag(void* unused) {
  while (!look()) {
  }
  return unused;
}

static void* lock_often(void* unused) {
  for (int i = 0; i < 1000; ++i) look();
  return unused;
}

static void* lock_other(void* unused) {
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  return unused;
}

static void* look_at_value(void* unused) {
  int value = 0;
  while (value == 0) sem_getvalue(&s, &value);
  return unused;
}

static void* lock_once(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

// One place in the program, whatever the compiler does with the loop.
__attribute__((noinline)) static int try_once(void) {
  return pthread_mutex_trylock(&mutex) == 0;
}

static void* try_until_free(void* unused) {
  while (!try_once()) sched_yield();
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* post_s(void* unused) {
  sem_post(&s);
  return unused;
}

static void* poll_s(void* unused) {
  while (sem_trywait(&s) != 0) {
  }
  return unused;
}

static void* poll_s_then_post_t(void* unused) {
  poll_s(unused);
  sem_post(&t);
  return unused;
}

static void* poll_t_then_post_s(void* unused) {
  while (sem_trywait(&t) != 0) sched_yield();
  sem_post(&s);
  return unused;
}

static void take_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  while (1) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) break;
    pthread_mutex_unlock(first);
  }
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* mutex_first(void* unused) {
  take_both(&mutex, &other);
  return unused;
}

static void* other_first(void* unused) {
  take_both(&other, &mutex);
  return unused;
}

static void* nest(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* nest_otherwise_then_post_s(void* unused) {
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&other);
  sem_post(&s);
  return unused;
}

static void* poll_t(void* unused) {
  while (sem_trywait(&t) != 0) {
  }
  return unused;
}

static void* try_t(void* unused) {
  for (int i = 0; i < 3; ++i)
    if (sem_trywait(&t) == 0) break;
  exit(0);
  return unused;
}

static void* try_three_times(void* unused) {
  for (int i = 0; i < 3; ++i)
    if (sem_trywait(&s) == 0) break;
  return unused;
}

static void* try_very_often(void* unused) {
  for (int i = 0; i < 20000; ++i)
    if (sem_trywait(&s) == 0) return unused;
  return unused;
}

static void run(void* (*first_routine)(void*), void* (*second_routine)(void*)) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, NULL);
  pthread_create(&second, NULL, second_routine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void run_beside(void* (*first_routine)(void*), void* (*second_routine)(void*), void* (*own)(void*)) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, NULL);
  pthread_create(&second, NULL, second_routine, NULL);
  own(NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static atomic_int a, b;

static void* yield_for_a(void* unused) {
  while (!atomic_load(&a)) sched_yield();
  atomic_store(&b, 1);
  return unused;
}

static void* yield_for_b(void* unused) {
  while (!atomic_load(&b)) sched_yield();
  atomic_store(&a, 1);
  return unused;
}

static void* yield_often(void* unused) {
  for (int i = 0; i < 1000; ++i) sched_yield();
  atomic_store(&a, 1);
  return unused;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  sem_init(&s, 0, 0);
  sem_init(&t, 0, 0);
  if (strcmp(what, "yield") == 0) run(await_flag, set_flag);
  if (strcmp(what, "look") == 0) run(look_for_flag, set_flag);
  if (strcmp(what, "two_look") == 0) run_beside(look_for_flag, look_for_flag, set_flag);
  if (strcmp(what, "in_vain") == 0) run(look_for_flag, lock_other);
  if (strcmp(what, "yield_in_vain") == 0) run(await_flag, lock_other);
  if (strcmp(what, "getvalue") == 0) run(look_at_value, post_s);
  if (strcmp(what, "long") == 0) run(lock_often, lock_other);
  if (strcmp(what, "trylock") == 0) run(try_until_free, lock_once);
  if (strcmp(what, "trywait") == 0) run(poll_s, post_s);
  if (strcmp(what, "never") == 0) run(poll_s, lock_once);
  if (strcmp(what, "each_other") == 0) run(poll_s_then_post_t, poll_t_then_post_s);
  if (strcmp(what, "yield_for_each_other") == 0) run(yield_for_a, yield_for_b);
  if (strcmp(what, "yield_in_turns") == 0) run(yield_often, yield_for_a);
  if (strcmp(what, "back_off") == 0) run(mutex_first, other_first);
  if (strcmp(what, "beside") == 0) run_beside(nest, nest_otherwise_then_post_s, poll_s);
  if (strcmp(what, "beside_it") == 0) run_beside(nest, nest_otherwise_then_post_s, poll_t);
  if (strcmp(what, "a_while") == 0) run_beside(nest, nest_otherwise_then_post_s, try_t);
  if (strcmp(what, "count") == 0) run(try_three_times, post_s);
  if (strcmp(what, "patient") == 0) run(try_very_often, set_flag);
  return 0;
}
