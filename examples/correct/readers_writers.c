// Readers and writers, with a lock built on one condition variable. The third argument says who goes first:
// none (whoever comes), readers, writers, or fifo, where each draws a number and enters when it is called.
//   mcmini readers_writers 1 1 writers
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int reading, writing, readers_waiting, writers_waiting, drawn, called;
static int readers_first, writers_first, fifo;
static int rounds = 1;

static int must_wait(int is_writer, int number) {
  if (fifo && number != called) return 1;
  if (is_writer) return writing || reading > 0 || (readers_first && readers_waiting > 0);
  return writing || (writers_first && writers_waiting > 0);
}

static void enter(int is_writer) {
  int* waiting = is_writer ? &writers_waiting : &readers_waiting;
  pthread_mutex_lock(&mutex);
  int number = drawn++;
  ++*waiting;
  while (must_wait(is_writer, number)) pthread_cond_wait(&changed, &mutex);
  --*waiting;
  ++*(is_writer ? &writing : &reading);
  ++called;
  if (fifo) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void leave(int is_writer) {
  pthread_mutex_lock(&mutex);
  --*(is_writer ? &writing : &reading);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void* read_it(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    enter(0);
    assert(!writing);
    leave(0);
  }
  return unused;
}

static void* write_it(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    enter(1);
    assert(writing == 1 && reading == 0);
    leave(1);
  }
  return unused;
}

int main(int argc, char** argv) {
  int readers = argc > 1 ? atoi(argv[1]) : 1;
  int writers = argc > 2 ? atoi(argv[2]) : 1;
  const char* who = argc > 3 ? argv[3] : "none";
  if (argc > 4) rounds = atoi(argv[4]);
  readers_first = strcmp(who, "readers") == 0;
  writers_first = strcmp(who, "writers") == 0;
  fifo = strcmp(who, "fifo") == 0;
  int known = readers_first || writers_first || fifo || strcmp(who, "none") == 0;
  if (!known || readers < 0 || readers > kMost || writers < 0 || writers > kMost) {
    fprintf(stderr, "usage: readers_writers [0..%d [0..%d [none|readers|writers|fifo [ROUNDS]]]]\n", kMost,
            kMost);
    return 2;
  }
  pthread_t reader[kMost], writer[kMost];
  for (int i = 0; i < readers; ++i) pthread_create(&reader[i], NULL, read_it, NULL);
  for (int i = 0; i < writers; ++i) pthread_create(&writer[i], NULL, write_it, NULL);
  for (int i = 0; i < readers; ++i) pthread_join(reader[i], NULL);
  for (int i = 0; i < writers; ++i) pthread_join(writer[i], NULL);
  return 0;
}
