// Futexes, as the kernel offers them. A store that matters is made between two operations on the futex, so
// that its order with the waiter's comparison is an order of operations.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t word;
static uint32_t other;
static pthread_t threads[3];

static long futex(uint32_t* at, int operation, uint32_t value, const struct timespec* timeout, uint32_t* at2,
                  uint32_t value3) {
  return syscall(SYS_futex, at, operation, value, timeout, at2, value3);
}
static long wait_at(uint32_t* at, const struct timespec* timeout) {
  return futex(at, FUTEX_WAIT_PRIVATE, 0, timeout, NULL, 0);
}
static long wake(uint32_t* at, int most) {
  return futex(at, FUTEX_WAKE_PRIVATE, (uint32_t)most, NULL, NULL, 0);
}

static void start(int count, void* (*routine)(void*)) {
  for (long i = 0; i < count; ++i) pthread_create(&threads[i], NULL, routine, (void*)i);
}
static void join(int count) {
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void* wait_once(void* arg) {
  (void)arg;
  long result = wait_at(&word, NULL);
  assert(result == 0 || (result == -1 && errno == EAGAIN));
  return NULL;
}

// The waiter compares before the first wake: it is woken by that, and leaves before or after the second one.
// Or it compares after the first wake, when the value is another: before or after the second one. 4 traces.
static void changed(void) {
  start(1, wait_once);
  assert(wake(&word, 1) <= 1);
  word = 1;
  assert(wake(&word, 1) == 0);
  join(1);
}

// A wake that comes before the wait is lost. 2 traces.
static void lost(void) {
  start(1, wait_once);
  wake(&word, 1);
  join(1);
}

// The wake comes before both comparisons, or between them in either order, or after both, and then either
// waiter takes it: 5 traces, each of which leaves somebody behind.
static void one_of_two(void) {
  start(2, wait_once);
  wake(&word, 1);
  join(2);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void* wait_a_second(void* arg) {
  (void)arg;
  double start = now();
  struct timespec second = {1, 0};
  long result = wait_at(&word, &second);
  assert(result == 0 || (result == -1 && errno == ETIMEDOUT && now() - start >= 1));
  return NULL;
}

// The wake comes before the wait, or while it lasts, or after its time is up. 3 traces.
static void timed(void) {
  start(1, wait_a_second);
  assert(wake(&word, INT_MAX) <= 1);
  join(1);
}

static void* wait_until(void* arg) {
  (void)arg;
  struct timespec then;
  clock_gettime(CLOCK_REALTIME, &then);
  then.tv_sec += 100;
  long result =
      futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &then, NULL, FUTEX_BITSET_MATCH_ANY);
  struct timespec after;
  clock_gettime(CLOCK_REALTIME, &after);
  assert(result == 0 || (result == -1 && errno == ETIMEDOUT && after.tv_sec >= then.tv_sec));
  return NULL;
}

static void deadline(void) {
  start(1, wait_until);
  assert(wake(&word, INT_MAX) <= 1);
  join(1);
}

static void* wait_for_bit(void* index) {
  long bit = (long)index + 1;
  struct timespec then = {1L << 40, 0};
  long result = futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, &then, NULL, (uint32_t)bit);
  assert(result == 0 || errno == ETIMEDOUT);
  if (bit == 1) assert(result == -1);
  return NULL;
}

// The first waiter does not listen. For each waiter the wake comes before its comparison, before it leaves,
// or after that; and the waiters leave in either order, where the wake does not order them: 14 traces.
static void bits(void) {
  start(2, wait_for_bit);
  assert(futex(&word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, 2) <= 1);
  join(2);
}

// The waiter compares before it is moved; it learns of that before or after the last wake (2 traces). Or
// between that and the last wake, which wakes it. Or too late.
static void requeued(void) {
  start(1, wait_once);
  long moved = futex(&word, FUTEX_REQUEUE, 0, (void*)1L, &other, 0);
  assert(wake(&other, 1) == moved);
  wake(&word, 1);
  join(1);
}

// The waiter compares after the requeue, or before it and leaves before or after: 3 traces.
static void compared(void) {
  start(1, wait_a_second);
  assert(futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void*)1L, &other, 0) <= 1);
  join(1);
}

static void wrong_calls(void) {
  struct timespec wrong = {0, -1};
  assert(wait_at(&word, &wrong) == -1 && errno == EINVAL);
  assert(wait_at((uint32_t*)((char*)&word + 1), NULL) == -1 && errno == EINVAL);
  assert(futex(&word, FUTEX_WAIT, 5, NULL, NULL, 0) == -1 && errno == EAGAIN);
  assert(futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0) == -1 && errno == EINVAL);
  assert(futex(&word, FUTEX_CMP_REQUEUE, 1, (void*)1L, &other, 5) == -1 && errno == EAGAIN);
  assert(wake(&word, 1) == 0);
  assert(syscall(SYS_getpid) == getpid());
  assert(syscall(SYS_write, -1, "", 0) == -1 && errno == EBADF);
}

static void priority_inheritance(void) {
  futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
}

int main(int argc, char** argv) {
  (void)argc;
  static const struct {
    const char* name;
    void (*run)(void);
  } modes[] = {{"changed", changed},         {"lost", lost},
               {"one_of_two", one_of_two},   {"timed", timed},
               {"deadline", deadline},       {"bits", bits},
               {"requeued", requeued},       {"compared", compared},
               {"wrong_calls", wrong_calls}, {"priority_inheritance", priority_inheritance}};
  for (unsigned i = 0; i < sizeof modes / sizeof *modes; ++i)
    if (strcmp(argv[1], modes[i].name) == 0) {
      modes[i].run();
      return 0;
    }
  return 1;
}
