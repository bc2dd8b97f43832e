// The cigarette smokers: each has one ingredient without end, an agent puts the two others on the table, and
// the smoker who can use them takes them. Here the agent tells that smoker, who tells when it is done.
//   mcmini cigarette_smokers 3
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSmokers = 3, kMost = 30 };

static sem_t may_smoke[kSmokers], table_is_free;
static int rounds = 3;
static int on_table;

static int rounds_of(long smoker) {
  return (int)((rounds + kSmokers - 1 - smoker) / kSmokers);
}

static void* smoke(void* which) {
  long i = (long)which;
  for (int left = rounds_of(i); left > 0; --left) {
    sem_wait(&may_smoke[i]);
    assert(on_table == 2);
    on_table = 0;
    sem_post(&table_is_free);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  if (rounds < 0 || rounds > kMost) {
    fprintf(stderr, "usage: cigarette_smokers [0..%d]\n", kMost);
    return 2;
  }
  pthread_t smoker[kSmokers];
  sem_init(&table_is_free, 0, 1);
  for (int i = 0; i < kSmokers; ++i) sem_init(&may_smoke[i], 0, 0);
  for (long i = 0; i < kSmokers; ++i) pthread_create(&smoker[i], NULL, smoke, (void*)i);
  for (int round = 0; round < rounds; ++round) {
    sem_wait(&table_is_free);
    on_table = 2;
    sem_post(&may_smoke[round % kSmokers]);
  }
  for (int i = 0; i < kSmokers; ++i) pthread_join(smoker[i], NULL);
  return 0;
}
