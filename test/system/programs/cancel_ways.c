// A thread that is cancelled while it waits, and main, which cancels it and joins it. How many behaviours
// each has is derived in the test.
//   testcancel   it asks
//   disabled     it waits with cancellation switched off
//   itself       it cancels itself
//   sem          it waits for a semaphore that nobody posts
//   sem_posted   main posts it first
//   sem_timed    it waits for one until a certain time
//   sem_clock    the same by another clock
//   cond         it waits for a condition variable
//   cond_timed   the same until a certain time
//   join         it waits for a thread that ends later
//   join_timed   it waits until a certain time for a thread that ends later
//   in_handler   it waits for another semaphore in its cleanup handler
//   try          it tries to take from a semaphore, which is no cancellation point
//   passed_on    two wait for a condition variable; main signals once and cancels one: the other one wakes
//   anywhere     it allows to be cancelled anywhere
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t s;
static sem_t t;
static pthread_t later;
static int cleaned;
static int waiting;

static void clean(void* unused) {
  (void)unused;
  ++cleaned;
}

static void unlock(void* chosen) {
  pthread_mutex_unlock(chosen);
  ++cleaned;
}

static void wait_for_t(void* unused) {
  (void)unused;
  assert(sem_wait(&t) == 0);
  ++cleaned;
}

static struct timespec in_a_minute(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 60;
  return time;
}

static void* testcancel(void* unused) {
  pthread_testcancel();
  return unused;
}

static void* disabled(void* unused) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  assert(before == PTHREAD_CANCEL_ENABLE);
  assert(sem_wait(&s) == 0);
  pthread_testcancel();
  return unused;
}

static void* itself(void* unused) {
  pthread_cancel(pthread_self());
  pthread_testcancel();
  assert(!"cancelled");
  return unused;
}

static void* itself_at_once(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_cancel(pthread_self());
  assert(!"cancelled");
  return unused;
}

static void* sem(void* unused) {
  pthread_cleanup_push(clean, NULL);
  sem_wait(&s);
  pthread_cleanup_pop(0);
  return unused;
}

static void* sem_timed(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_REALTIME);
  sem_timedwait(&s, &limit);
  return unused;
}

static void* sem_clock(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_MONOTONIC);
  sem_clockwait(&s, CLOCK_MONOTONIC, &limit);
  return unused;
}

static void* try(void* unused) {
  sem_trywait(&s);
  return unused;
}

static void* wait_for_cond(void* unused) {
  pthread_mutex_lock(&mutex);
  ++waiting;
  pthread_cleanup_push(unlock, &mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}

static void* cond_timed(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_REALTIME);
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cond_timedwait(&cond, &mutex, &limit);
  pthread_cleanup_pop(1);
  return unused;
}

static void* end_later(void* unused) {
  sem_wait(&t);
  return unused;
}

static void* join(void* unused) {
  pthread_cleanup_push(clean, NULL);
  pthread_join(later, NULL);
  pthread_cleanup_pop(0);
  return unused;
}

static void* join_timed(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_REALTIME);
  pthread_timedjoin_np(later, NULL, &limit);
  return unused;
}

static void* in_handler(void* unused) {
  pthread_cleanup_push(wait_for_t, NULL);
  sem_wait(&s);
  pthread_cleanup_pop(0);
  return unused;
}

static void* anywhere(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  return unused;
}

static void passed_on(void) {
  pthread_t first, second;
  void* result;
  pthread_create(&first, NULL, wait_for_cond, NULL);
  pthread_create(&second, NULL, wait_for_cond, NULL);
  pthread_mutex_lock(&mutex);
  int both = waiting == 2;
  if (both) pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  if (!both) pthread_cancel(second);
  pthread_cancel(first);
  pthread_join(first, &result);
  if (both && result != PTHREAD_CANCELED) pthread_cancel(second);
  pthread_join(second, NULL);
}

static int ends_alone(const char* what) {
  return strcmp(what, "sem_posted") == 0 || strstr(what, "_timed") != NULL ||
         strcmp(what, "sem_clock") == 0 || strcmp(what, "testcancel") == 0 || strcmp(what, "try") == 0 ||
         strcmp(what, "anywhere") == 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void* (*routine)(void*);
  } ways[] = {{"testcancel", testcancel},
              {"disabled", disabled},
              {"itself", itself},
              {"itself_at_once", itself_at_once},
              {"sem", sem},
              {"sem_posted", sem},
              {"sem_timed", sem_timed},
              {"sem_clock", sem_clock},
              {"cond", wait_for_cond},
              {"cond_timed", cond_timed},
              {"join", join},
              {"join_timed", join_timed},
              {"in_handler", in_handler},
              {"try", try},
              {"anywhere", anywhere}};
  const char* what = argc > 1 ? argv[1] : "";
  pthread_t thread;
  void* result = NULL;
  sem_init(&s, 0, strcmp(what, "disabled") == 0);
  sem_init(&t, 0, 0);
  if (strcmp(what, "passed_on") == 0) passed_on();
  if (strncmp(what, "join", 4) == 0) pthread_create(&later, NULL, end_later, NULL);
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (strcmp(what, ways[i].name) != 0) continue;
    pthread_create(&thread, NULL, ways[i].routine, NULL);
    if (strcmp(what, "sem_posted") == 0) sem_post(&s);
    if (strncmp(what, "itself", 6) != 0) pthread_cancel(thread);
    if (strcmp(what, "in_handler") == 0) sem_post(&t);
    pthread_join(thread, &result);
    if (strcmp(what, "disabled") == 0)
      assert(result == NULL);
    else
      assert(result == PTHREAD_CANCELED || (ends_alone(what) && result == NULL));
    if (strcmp(what, "sem") == 0 || strcmp(what, "cond") == 0 || strcmp(what, "join") == 0 ||
        strcmp(what, "in_handler") == 0)
      assert(cleaned == 1);
  }
  if (strncmp(what, "join", 4) == 0) {
    sem_post(&t);
    pthread_join(later, NULL);
  }
  return 0;
}
