// What <mcmini/annotate.h> offers, in one way or another.
#include <mcmini/annotate.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int y;
static struct {
  char bytes[300000];
  int last;
} large;

static void* increment(void* unused) {
  MC_READ(x);
  int seen = x;
  MC_WRITE(x);
  x = seen + 1;
  return unused;
}

static void* increment_at_once(void* unused) {
  mc_atomic_begin();
  increment(NULL);
  mc_atomic_end();
  return unused;
}

static void* read_only(void* unused) {
  MC_READ(x);
  return unused;
}

static void* write_byte(void* unused) {
  MC_WRITE(((char*)&x)[3]);
  return unused;
}

static void* write_other_byte(void* unused) {
  MC_WRITE(((char*)&x)[0]);
  return unused;
}

static void* write_large(void* unused) {
  MC_WRITE(large);
  return unused;
}

static void* write_last(void* unused) {
  MC_WRITE(large.last);
  return unused;
}

static void* choose_three(void* unused) {
  int chosen = mc_choose(3);
  MC_WRITE(y);
  y = chosen;
  return unused;
}

static void* assume_little(void* unused) {
  int chosen = mc_choose(10);
  mc_assume(chosen < 2);
  mc_assert(chosen < 2);
  return unused;
}

static void* lock_for_good(void* unused) {
  pthread_mutex_lock(&mutex);
  mc_assume(x != 0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* lock_and_fail(void* unused) {
  MC_READ(y);
  int fails = y == 0;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  if (fails) mc_assert(x != x);
  return unused;
}

static void* lock_in_section(void* unused) {
  mc_atomic_begin();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  mc_atomic_end();
  return unused;
}

static void* lock_for_a_while(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* leave_section_open(void* unused) {
  mc_atomic_begin();
  return unused;
}

static void* nested(void* unused) {
  mc_atomic_begin();
  increment_at_once(NULL);
  increment_at_once(NULL);
  mc_atomic_end();
  return unused;
}

static void* give_up_in_section(void* unused) {
  mc_atomic_begin();
  x = 1;
  mc_atomic_end();
  mc_atomic_begin();
  mc_assume(y != 0);
  mc_atomic_end();
  return unused;
}

static void* choose_and_look(void* unused) {
  int chosen = mc_choose(2);
  mc_assert(chosen == 0 || x == 0);
  return unused;
}

static void* wait_for_x(void* unused) {
  for (;;) {
    MC_READ(x);
    if (x != 0) return unused;
    mc_yield();
  }
}

static void* poll_and_choose(void* unused) {
  while (pthread_mutex_trylock(&mutex) != 0)
    if (mc_choose(2)) mc_yield();
  pthread_mutex_unlock(&mutex);
  return unused;
}

typedef void* (*Routine)(void*);

static void run(Routine one, Routine two) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, one, NULL);
  if (two) pthread_create(&threads[1], NULL, two, NULL);
  pthread_join(threads[0], NULL);
  if (two) pthread_join(threads[1], NULL);
}

static const struct {
  const char* name;
  Routine one, two;
} kWays[] = {
    {"lost_update", increment, increment},
    {"atomic_update", increment_at_once, increment_at_once},
    {"nested", nested, increment_at_once},
    {"give_up_in_section", choose_and_look, give_up_in_section},
    {"readers", read_only, read_only},
    {"reader_writer", read_only, write_byte},
    {"apart", write_other_byte, write_byte},
    {"large", write_large, write_last},
    {"choose", choose_three, NULL},
    {"choose_twice", choose_three, choose_three},
    {"assume", assume_little, NULL},
    {"assume_locked", lock_for_good, lock_and_fail},
    {"lock_in_section", lock_for_a_while, lock_in_section},
    {"open_section", leave_section_open, read_only},
    {"poll", wait_for_x, increment},
    {"poll_for_ever", wait_for_x, read_only},
    {"poll_and_choose", poll_and_choose, lock_for_a_while},
};

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  for (size_t i = 0; i < sizeof kWays / sizeof *kWays; ++i)
    if (strcmp(way, kWays[i].name) == 0) run(kWays[i].one, kWays[i].two);
  if (strcmp(way, "lost_update") == 0 || strcmp(way, "atomic_update") == 0) mc_assert(x == 2);
  if (strcmp(way, "nested") == 0) mc_assert(x == 3);
  if (strcmp(way, "choose_number") == 0) mc_choose(atoi(argv[2]));
  if (strcmp(way, "choose_and_print") == 0) {
    int first = mc_choose(2);
    int second = mc_choose(3);
    printf("%d%d\n", first, second);
    mc_assert(first + second != 3);
  }
  if (strcmp(way, "end_only") == 0) mc_atomic_end();
  if (strcmp(way, "assume_nothing") == 0) mc_assume(x != 0);
  if (strcmp(way, "all") == 0) { /* without the checker */
    MC_BENIGN_RACE(x);
    increment_at_once(NULL);
    mc_assert(x == 0);
    mc_assume(x == 0);
    mc_yield();
    printf("%d %d\n", x, mc_choose(5));
  }
  return 0;
}
