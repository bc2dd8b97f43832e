// clang-format off
// Two threads at a lock for readers and writers.
//   writers         both write: who comes first, 2 behaviours
//   try_write       one reads, the other one tries to write: before the reader, while it reads, after it: 3
//   try_read        one writes, the other one tries to read: 3
//   timed_write     as try_write, with a time limit: 3
//   timed_read      as try_read, with a time limit, by the other clock: 3
//   invalid         as timed_read, with a time limit that is none: an error only while the other one writes: 3
//   recursive       one reads twice over while the other one wants to write. A reader may pass a writer that
//                   waits, so the writer comes before or after: 2
//   recursive_last  the same where a reader lets a waiting writer pass: the writer comes before, or after, or
//                   waits for the first lock of the reader, who waits for the writer: 3, one of them a deadlock
//   patience        where readers let writers pass, one reads and tries to read once more, the other one gives
//                   up waiting to write when its time is up. It begins to wait
//                     before the reader: 1, it gets through before the reader gets in;
//                     between the two reads: the time is up before the second one, which then succeeds; or
//                     after it has failed, and before or after the reader leaves: 3;
//                     after the second read: the time is up before its end, or before the end of the first one,
//                     or the writer gets in after both: 3;
//                   7 behaviours
//   upgrade         a thread that reads wants to write: it waits for itself, 1, a deadlock
//   upgrade_both    two threads read and want to write: whoever reads first, both wait for both: 1, a deadlock
//   again           locks of a function that is called twice, at the same place both times: 1
// clang-format on
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_rwlock_t plain = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t polite = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static const struct timespec soon = {1, 0};
static const struct timespec never = {1, -1};

static void* read_plain(void* unused) {
  assert(pthread_rwlock_rdlock(&plain) == 0);
  assert(pthread_rwlock_unlock(&plain) == 0);
  return unused;
}

static void* write_plain(void* unused) {
  assert(pthread_rwlock_wrlock(&plain) == 0);
  assert(pthread_rwlock_unlock(&plain) == 0);
  return unused;
}

static void leave(int result, int otherwise) {
  assert(result == 0 || result == otherwise);
  if (result == 0) pthread_rwlock_unlock(&plain);
}

static void* try_write(void* unused) {
  leave(pthread_rwlock_trywrlock(&plain), EBUSY);
  return unused;
}

static void* try_read(void* unused) {
  leave(pthread_rwlock_tryrdlock(&plain), EBUSY);
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

static void* timed_write(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_REALTIME);
  int result = pthread_rwlock_timedwrlock(&plain, &limit);
  if (result != 0) check_time(CLOCK_REALTIME, limit);
  leave(result, ETIMEDOUT);
  return unused;
}

static void* timed_read(void* unused) {
  struct timespec limit = in_a_minute(CLOCK_MONOTONIC);
  int result = pthread_rwlock_clockrdlock(&plain, CLOCK_MONOTONIC, &limit);
  if (result != 0) check_time(CLOCK_MONOTONIC, limit);
  leave(result, ETIMEDOUT);
  return unused;
}

static void* invalid(void* unused) {
  leave(pthread_rwlock_timedrdlock(&plain, &never), EINVAL);
  return unused;
}

static void* read_twice(void* lock) {
  pthread_rwlock_rdlock(lock);
  pthread_rwlock_rdlock(lock);
  pthread_rwlock_unlock(lock);
  pthread_rwlock_unlock(lock);
  return NULL;
}

static void* write_once(void* lock) {
  pthread_rwlock_wrlock(lock);
  pthread_rwlock_unlock(lock);
  return NULL;
}

static void* read_and_look(void* lock) {
  pthread_rwlock_rdlock(lock);
  int again = pthread_rwlock_tryrdlock(lock);
  assert(again == 0 || again == EBUSY);
  if (again == 0) pthread_rwlock_unlock(lock);
  pthread_rwlock_unlock(lock);
  return NULL;
}

static void* write_patiently(void* lock) {
  int result = pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, &soon);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) pthread_rwlock_unlock(lock);
  return NULL;
}

static void* upgrade(void* lock) {
  pthread_rwlock_rdlock(lock);
  pthread_rwlock_wrlock(lock);
  return NULL;
}

static void run(void* (*first_routine)(void*), void* (*second_routine)(void*), pthread_rwlock_t* lock) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, lock);
  if (second_routine != NULL) pthread_create(&second, NULL, second_routine, lock);
  pthread_join(first, NULL);
  if (second_routine != NULL) pthread_join(second, NULL);
}

__attribute__((noinline)) static void use_own_lock(void) {
  pthread_rwlock_t own = PTHREAD_RWLOCK_INITIALIZER;
  assert(pthread_rwlock_wrlock(&own) == 0);
  assert(pthread_rwlock_unlock(&own) == 0);
  assert(pthread_rwlock_destroy(&own) == 0);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  assert(pthread_rwlock_clockrdlock(&plain, CLOCK_PROCESS_CPUTIME_ID, &soon) == EINVAL);
  if (strcmp(what, "writers") == 0) run(write_plain, write_plain, NULL);
  if (strcmp(what, "try_write") == 0) run(read_plain, try_write, NULL);
  if (strcmp(what, "try_read") == 0) run(write_plain, try_read, NULL);
  if (strcmp(what, "timed_write") == 0) run(read_plain, timed_write, NULL);
  if (strcmp(what, "timed_read") == 0) run(write_plain, timed_read, NULL);
  if (strcmp(what, "invalid") == 0) run(write_plain, invalid, NULL);
  if (strcmp(what, "recursive") == 0) run(read_twice, write_once, &plain);
  if (strcmp(what, "recursive_last") == 0) run(read_twice, write_once, &polite);
  if (strcmp(what, "patience") == 0) run(read_and_look, write_patiently, &polite);
  if (strcmp(what, "upgrade") == 0) run(upgrade, NULL, &plain);
  if (strcmp(what, "upgrade_both") == 0) run(upgrade, upgrade, &plain);
  if (strcmp(what, "again") == 0)
    for (int i = 0; i < 2; ++i) use_own_lock();
  return 0;
}
