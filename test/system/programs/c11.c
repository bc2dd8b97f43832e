// C11 threads: each function at least once. How many traces each has is derived in the test.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static mtx_t other;
static cnd_t condition;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int ready;
static int count;
static thrd_t threads[3];

static void start(int number, thrd_start_t routine) {
  assert(thrd_create(&threads[number], routine, NULL) == thrd_success);
}
static int join(int number) {
  int result = 0;
  assert(thrd_join(threads[number], &result) == thrd_success);
  return result;
}
static void run(thrd_start_t first, thrd_start_t second) {
  start(0, first);
  start(1, second);
  join(0);
  join(1);
}

static int mutex_first(void* arg) {
  (void)arg;
  mtx_lock(&mutex);
  mtx_lock(&other);
  mtx_unlock(&other);
  mtx_unlock(&mutex);
  return 0;
}
static int other_first(void* arg) {
  (void)arg;
  mtx_lock(&other);
  mtx_lock(&mutex);
  mtx_unlock(&mutex);
  mtx_unlock(&other);
  return 0;
}
static void same_order(void) {
  run(mutex_first, mutex_first);
}
static void opposite_order(void) {
  run(mutex_first, other_first);
}

static int lock_once(void* arg) {
  (void)arg;
  assert(mtx_lock(&mutex) == thrd_success);
  ++count;
  assert(mtx_unlock(&mutex) == thrd_success);
  return 0;
}
static int try_once(void* arg) {
  (void)arg;
  int result = mtx_trylock(&mutex);
  assert(result == thrd_success || result == thrd_busy);
  if (result == thrd_success) mtx_unlock(&mutex);
  return 0;
}
static void try_lock(void) {
  run(lock_once, try_once);
}

static int lock_in_time(void* arg) {
  (void)arg;
  struct timespec deadline;
  struct timespec now;
  assert(timespec_get(&deadline, TIME_UTC) == TIME_UTC);
  deadline.tv_sec += 100;
  int result = mtx_timedlock(&mutex, &deadline);
  timespec_get(&now, TIME_UTC);
  assert(result == thrd_success || (result == thrd_timedout && now.tv_sec >= deadline.tv_sec));
  if (result == thrd_success) mtx_unlock(&mutex);
  return 0;
}
static void timed_lock(void) {
  mtx_destroy(&mutex);
  assert(mtx_init(&mutex, mtx_timed) == thrd_success);
  run(lock_once, lock_in_time);
}

static int lock_twice(void* arg) {
  mtx_lock(&mutex);
  lock_once(arg);
  assert(mtx_trylock(&mutex) == thrd_success);
  mtx_unlock(&mutex);
  mtx_unlock(&mutex);
  return 0;
}
static void recursive(void) {
  mtx_destroy(&mutex);
  assert(mtx_init(&mutex, mtx_plain | mtx_recursive) == thrd_success);
  run(lock_twice, lock_twice);
  assert(count == 2);
}

static int await(void* arg) {
  (void)arg;
  mtx_lock(&mutex);
  while (!ready) assert(cnd_wait(&condition, &mutex) == thrd_success);
  mtx_unlock(&mutex);
  return 0;
}
static int await_in_time(void* arg) {
  (void)arg;
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  deadline.tv_sec += 100;
  mtx_lock(&mutex);
  int result = ready ? thrd_success : cnd_timedwait(&condition, &mutex, &deadline);
  assert(result == thrd_success || result == thrd_timedout);
  mtx_unlock(&mutex);
  return 0;
}
static int signal_one(void* arg) {
  (void)arg;
  mtx_lock(&mutex);
  ready = 1;
  assert(cnd_signal(&condition) == thrd_success);
  mtx_unlock(&mutex);
  return 0;
}
static void wait_and_signal(void) {
  run(await, signal_one);
}
static void timed_wait(void) {
  run(await_in_time, signal_one);
}

static void broadcast(void) {
  start(0, await);
  start(1, await);
  mtx_lock(&mutex);
  ready = 1;
  assert(cnd_broadcast(&condition) == thrd_success);
  mtx_unlock(&mutex);
  join(0);
  join(1);
}

static int wait_anyway(void* arg) {
  (void)arg;
  mtx_lock(&mutex);
  cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  return 0;
}
static int signal_anyway(void* arg) {
  (void)arg;
  cnd_signal(&condition);
  return 0;
}
static void lost_signal(void) {
  run(wait_anyway, signal_anyway);
}

static void count_one(void* value) {
  assert(value == &key);
  lock_once(NULL);
}
static int use_key(void* arg) {
  (void)arg;
  assert(tss_get(key) == NULL);
  assert(tss_set(key, &key) == thrd_success);
  assert(tss_get(key) == &key);
  return 0;
}
static void specific(void) {
  assert(tss_create(&key, count_one) == thrd_success);
  run(use_key, use_key);
  assert(count == 2);
  tss_delete(key);
}

static void initialize(void) {
  ++count;
}
static int use_initialized(void* arg) {
  (void)arg;
  call_once(&flag, initialize);
  assert(count == 1);
  return 0;
}
static void once(void) {
  run(use_initialized, use_initialized);
}

static int minus_five(void* arg) {
  return arg == NULL ? -5 : 0;
}
static int leave_with_seven(void* arg) {
  (void)arg;
  thrd_exit(7);
}
static int compare_itself(void* arg) {
  (void)arg;
  return thrd_equal(thrd_current(), thrd_current()) ? 1 : 0;
}
static void results(void) {
  start(0, minus_five);
  start(1, leave_with_seven);
  start(2, compare_itself);
  assert(!thrd_equal(threads[0], threads[1]));
  assert(join(0) == -5);
  assert(join(1) == 7);
  assert(join(2) == 1);
}

static void detached(void) {
  start(0, lock_once);
  assert(thrd_detach(threads[0]) == thrd_success);
}

static void sleeping(void) {
  struct timespec before;
  struct timespec after;
  struct timespec duration = {1000, 0};
  timespec_get(&before, TIME_UTC);
  assert(thrd_sleep(&duration, NULL) == 0);
  thrd_yield();
  timespec_get(&after, TIME_UTC);
  assert(after.tv_sec - before.tv_sec >= 1000);
  duration.tv_nsec = -1;
  assert(thrd_sleep(&duration, NULL) < 0);
  assert(mtx_init(&mutex, 100) == thrd_error);
}

int main(int argc, char** argv) {
  (void)argc;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(mtx_init(&other, mtx_plain) == thrd_success);
  assert(cnd_init(&condition) == thrd_success);
  static const struct {
    const char* name;
    void (*run)(void);
  } modes[] = {{"same_order", same_order},
               {"opposite_order", opposite_order},
               {"try_lock", try_lock},
               {"timed_lock", timed_lock},
               {"recursive", recursive},
               {"wait_and_signal", wait_and_signal},
               {"timed_wait", timed_wait},
               {"broadcast", broadcast},
               {"lost_signal", lost_signal},
               {"specific", specific},
               {"once", once},
               {"results", results},
               {"detached", detached},
               {"sleeping", sleeping}};
  for (unsigned i = 0; i < sizeof modes / sizeof *modes; ++i)
    if (strcmp(argv[1], modes[i].name) == 0) modes[i].run();
  cnd_destroy(&condition);
  mtx_destroy(&other);
  return 0;
}
