// Ways to sleep and to look at the clock. None of them takes real time.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double stamp;
static int done;

static double seconds(struct timespec time) {
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double now(clockid_t clock) {
  struct timespec time;
  assert(clock_gettime(clock, &time) == 0);
  return seconds(time);
}

static double date(void) {
  return now(CLOCK_REALTIME);
}

// Each sleep lasts as long as it says, on each clock.
static void sleep_long(void) {
  double real = date();
  double monotonic = now(CLOCK_MONOTONIC);
  double boot = now(CLOCK_BOOTTIME);
  time_t started = time(NULL);
  assert(sleep(1000) == 0);
  assert(usleep(2000000) == 0);
  struct timespec duration = {3, 500000000};
  struct timespec remaining;
  assert(nanosleep(&duration, &remaining) == 0);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, NULL) == 0);
  assert(date() - real >= 1009 && date() - real < 1010);
  assert(now(CLOCK_MONOTONIC) - monotonic >= 1009);
  assert(now(CLOCK_BOOTTIME) - boot >= 1009);
  assert(time(NULL) - started >= 1009);
}

static void sleep_until(void) {
  struct timespec then;
  clock_gettime(CLOCK_REALTIME, &then);
  then.tv_sec += 500;
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &then, NULL) == 0);
  assert(date() >= seconds(then));
  assert(date() < seconds(then) + 1);
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &then, NULL) == 0);
  assert(date() < seconds(then) + 1);
}

static void wrong_calls(void) {
  struct timespec wrong = {0, 1000000000};
  assert(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
  wrong = (struct timespec){-1, 0};
  assert(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
  assert(clock_nanosleep(CLOCK_REALTIME, 0, &wrong, NULL) == EINVAL);
  wrong = (struct timespec){0, 0};
  assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &wrong, NULL) == EINVAL);
  assert(clock_gettime(100, &wrong) == -1 && errno == EINVAL);
}

// All clocks agree, and go on.
static void clocks(void) {
  struct timeval day;
  struct timespec utc;
  double real = date();
  gettimeofday(&day, NULL);
  assert((double)day.tv_sec + (double)day.tv_usec / 1e6 >= real - 1e-6);
  assert(timespec_get(&utc, TIME_UTC) == TIME_UTC);
  assert(seconds(utc) > real && seconds(utc) < real + 1);
  const clockid_t all[] = {CLOCK_REALTIME,
                           CLOCK_REALTIME_COARSE,
                           CLOCK_MONOTONIC,
                           CLOCK_MONOTONIC_RAW,
                           CLOCK_BOOTTIME,
                           CLOCK_MONOTONIC_COARSE,
                           CLOCK_TAI,
                           CLOCK_REALTIME_ALARM,
                           CLOCK_BOOTTIME_ALARM,
                           CLOCK_PROCESS_CPUTIME_ID,
                           CLOCK_THREAD_CPUTIME_ID};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) {
    double before = now(all[i]);
    assert(before > 0 && now(all[i]) > before);
  }
  double cpu = now(CLOCK_THREAD_CPUTIME_ID);
  clock_t used = clock();
  struct tms usage;
  clock_t uptime = times(&usage);
  sleep(100);
  assert(now(CLOCK_THREAD_CPUTIME_ID) - cpu < 1);
  assert(clock() - used < CLOCKS_PER_SEC);
  assert(times(&usage) - uptime >= 100 * sysconf(_SC_CLK_TCK));
  assert(usage.tms_utime < sysconf(_SC_CLK_TCK));
}

// Loops that wait for the clock to go on.
static void clock_loops(void) {
  double end = now(CLOCK_MONOTONIC) + 60;
  while (now(CLOCK_MONOTONIC) < end) {
  }
  clock_t used = clock();
  while (clock() - used < 2 * CLOCKS_PER_SEC) {
  }
  time_t then = time(NULL) + 10;
  while (time(NULL) < then) sched_yield();
}

static void* look(void* arg) {
  (void)arg;
  sleep(1000);
  pthread_mutex_lock(&mutex);
  if (stamp != 0) assert(now(CLOCK_MONOTONIC) >= stamp);
  stamp = now(CLOCK_MONOTONIC);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

// What a thread wrote down is not in the future of whoever reads it.
static void handed_on(void) {
  double start = now(CLOCK_MONOTONIC);
  pthread_t first;
  pthread_t second;
  pthread_create(&first, NULL, look, NULL);
  pthread_create(&second, NULL, look, NULL);
  pthread_mutex_lock(&mutex);
  double seen = now(CLOCK_MONOTONIC);
  assert(stamp <= seen);
  pthread_mutex_unlock(&mutex);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(now(CLOCK_MONOTONIC) >= start + 1000);
}

static sem_t tokens;

static void* sleep_and_post(void* unused) {
  sleep(1000);
  stamp = now(CLOCK_MONOTONIC);
  sem_post(&tokens);
  return unused;
}

static void posted(void) {
  pthread_t thread;
  sem_init(&tokens, 0, 0);
  pthread_create(&thread, NULL, sleep_and_post, NULL);
  sem_wait(&tokens);
  assert(stamp <= now(CLOCK_MONOTONIC));
  pthread_join(thread, NULL);
}

// It has no need of the token that is posted, whether it was there before or not.
static void not_needed(void) {
  double start = now(CLOCK_MONOTONIC);
  pthread_t thread;
  sem_init(&tokens, 0, 1);
  pthread_create(&thread, NULL, sleep_and_post, NULL);
  sleep(1);
  sem_wait(&tokens);
  assert(now(CLOCK_MONOTONIC) < start + 1000);
  pthread_join(thread, NULL);
}

static void* check_start(void* start) {
  assert(now(CLOCK_MONOTONIC) >= *(double*)start);
  return NULL;
}

static void inherited(void) {
  sleep(1000);
  double start = now(CLOCK_MONOTONIC);
  pthread_t thread;
  pthread_create(&thread, NULL, check_start, &start);
  pthread_join(thread, NULL);
}

// A thread sleeps as long as its number says before it takes the lock, which orders nothing.
static void* finish(void* delay) {
  sleep((unsigned)(long)delay);
  pthread_mutex_lock(&mutex);
  if ((long)delay == 1) assert(done == 0);
  ++done;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void race(void) {
  pthread_t slow;
  pthread_t quick;
  pthread_create(&slow, NULL, finish, (void*)100L);
  pthread_create(&quick, NULL, finish, (void*)1L);
  pthread_join(slow, NULL);
  pthread_join(quick, NULL);
}

// What a thread does depends on the clock, which depends on nothing that others do.
static void* by_the_clock(void* own) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  for (long i = 0; i < time.tv_nsec / 1000 % 7 + 1; ++i) {
    pthread_mutex_lock(own);
    pthread_mutex_unlock(own);
    clock_gettime(CLOCK_REALTIME, &time);
    if (time.tv_nsec / 1000 % 2 == 0) usleep((useconds_t)(time.tv_nsec / 1000));
  }
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void depends(void) {
  static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, by_the_clock, &own[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  (void)argc;
  static const struct {
    const char* name;
    void (*run)(void);
  } modes[] = {
      {"long", sleep_long},   {"until", sleep_until},   {"wrong_calls", wrong_calls}, {"clocks", clocks},
      {"loops", clock_loops}, {"handed_on", handed_on}, {"inherited", inherited},     {"race", race},
      {"depends", depends},   {"posted", posted},       {"not_needed", not_needed}};
  for (unsigned i = 0; i < sizeof modes / sizeof *modes; ++i)
    if (strcmp(argv[1], modes[i].name) == 0) {
      modes[i].run();
      return 0;
    }
  return 1;
}
