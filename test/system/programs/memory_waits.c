// Threads that reach no operation for long: they wait for memory to change, or in the kernel, or they work.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag, second, third;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void section(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}

static void* set_flag(void* unused) {
  atomic_store(&flag, 1);
  return unused;
}
static void* lock_and_set_flag(void* unused) {
  section();
  atomic_store(&flag, 1);
  return unused;
}
static void* set_flag_in_section(void* unused) {
  pthread_mutex_lock(&m);
  atomic_store(&flag, 1);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* await_flag_and_lock(void* unused) {
  while (!atomic_load(&flag)) continue;
  section();
  return unused;
}
static void* yield_until_flag_and_lock(void* unused) {
  while (!atomic_load(&flag)) sched_yield();
  section();
  return unused;
}
static void* await_flag_in_section(void* unused) {
  pthread_mutex_lock(&m);
  while (!atomic_load(&flag)) continue;
  pthread_mutex_unlock(&m);
  return unused;
}
static void* await_second(void* unused) {
  while (!atomic_load(&second)) continue;
  atomic_store(&third, 1);
  return unused;
}
static void* await_flag_then_third(void* unused) {
  while (!atomic_load(&flag)) continue;
  atomic_store(&second, 1);
  while (!atomic_load(&third)) continue;
  return unused;
}

static atomic_flag own_lock = ATOMIC_FLAG_INIT;
static void* lock_within_own_lock(void* unused) {
  while (atomic_flag_test_and_set(&own_lock)) continue;
  section();
  atomic_flag_clear(&own_lock);
  return unused;
}

static void* write_to_pipe(void* unused) {
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}
static void* read_from_pipe(void* unused) {
  char letter;
  assert(read(ends[0], &letter, 1) == 1);
  return unused;
}
static int back[2];
static void* ping(void* unused) {
  char letter = 'x';
  for (int i = 0; i < 3; ++i) assert(write(ends[1], &letter, 1) == 1 && read(back[0], &letter, 1) == 1);
  return unused;
}
static void* pong(void* unused) {
  char letter;
  for (int i = 0; i < 3; ++i) assert(read(ends[0], &letter, 1) == 1 && write(back[1], &letter, 1) == 1);
  return unused;
}
static void* poll_pipe(void* unused) {
  struct pollfd wanted = {ends[0], POLLIN, 0};
  assert(poll(&wanted, 1, -1) == 1);
  return unused;
}

static void work(long rounds) {
  for (volatile long i = 0; i < rounds; ++i) continue;
}
static void* work_and_set_flag(void* unused) {
  work(300000000);
  atomic_store(&flag, 1);
  while (!atomic_load(&second)) continue;
  return unused;
}
static void* await_flag_and_set_second(void* unused) {
  while (!atomic_load(&flag)) continue;
  atomic_store(&second, 1);
  return unused;
}
static void* yield_until_flag_and_set_second(void* unused) {
  while (!atomic_load(&flag)) sched_yield();
  atomic_store(&second, 1);
  return unused;
}
static void* await_second_and_set_flag(void* unused) {
  while (!atomic_load(&second)) continue;
  atomic_store(&flag, 1);
  return unused;
}

static void* work_and_lock(void* unused) {
  work(200000000);
  section();
  return unused;
}
static void* work_much(void* unused) {
  work(700000000);
  return unused;
}
static void* only_lock(void* unused) {
  section();
  return unused;
}

struct way {
  const char* name;
  void* (*threads[3])(void*);
};
static const struct way ways[] = {
    {"flag", {await_flag_and_lock, set_flag}},
    {"flag_after_lock", {await_flag_and_lock, lock_and_set_flag}},
    {"yield", {yield_until_flag_and_lock, lock_and_set_flag}},
    {"chain", {await_second, await_flag_then_third, set_flag_in_section}},
    {"with_lock", {await_flag_in_section, set_flag_in_section}},
    {"each_other", {await_second, await_flag_then_third}},
    {"yield_for_each_other", {await_second_and_set_flag, yield_until_flag_and_set_second}},
    {"for_a_worker", {await_flag_and_set_second, work_and_set_flag}},
    {"yield_for_a_worker", {yield_until_flag_and_set_second, work_and_set_flag}},
    {"own_lock", {lock_within_own_lock, lock_within_own_lock}},
    {"read", {read_from_pipe, write_to_pipe}},
    {"poll", {poll_pipe, write_to_pipe}},
    {"ping_pong", {ping, pong}},
    {"work", {work_and_lock, only_lock}},
    {"much_work", {work_much}},
};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (argc < 2 || strcmp(ways[i].name, argv[1]) != 0) continue;
    pthread_t threads[3];
    assert(pipe(ends) == 0 && pipe(back) == 0);
    for (int t = 0; t < 3; ++t)
      if (ways[i].threads[t] != NULL) pthread_create(&threads[t], NULL, ways[i].threads[t], NULL);
    for (int t = 0; t < 3; ++t)
      if (ways[i].threads[t] != NULL) pthread_join(threads[t], NULL);
    return 0;
  }
  fprintf(stderr, "which way?\n");
  return 2;
}
