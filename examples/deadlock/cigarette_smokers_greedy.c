// The cigarette smokers, without anybody to tell them who is meant: each takes what it needs from the table,
// one ingredient after the other. Two smokers take one each, and none of them has both.
//   mcmini cigarette_smokers_greedy 2
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSmokers = 3, kMost = 30 };

static sem_t ingredient[kSmokers], table_is_free;
static int rounds = 2;

static int rounds_of(long smoker) {
  return (int)((rounds + kSmokers - 1 - smoker) / kSmokers);
}

static void take_others_than(long own) {
  for (long i = 1; i < kSmokers; ++i) sem_wait(&ingredient[(own + i) % kSmokers]);
}

static void* smoke(void* which) {
  long own = (long)which;
  for (int left = rounds_of(own); left > 0; --left) {
    take_others_than(own);
    sem_post(&table_is_free);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  if (rounds < 0 || rounds > kMost) {
    fprintf(stderr, "usage: cigarette_smokers_greedy [0..%d]\n", kMost);
    return 2;
  }
  pthread_t smoker[kSmokers];
  sem_init(&table_is_free, 0, 1);
  for (int i = 0; i < kSmokers; ++i) sem_init(&ingredient[i], 0, 0);
  for (long i = 0; i < kSmokers; ++i) pthread_create(&smoker[i], NULL, smoke, (void*)i);
  for (int round = 0; round < rounds; ++round) {
    sem_wait(&table_is_free);
    for (int i = 0; i < kSmokers; ++i)
      if (i != round % kSmokers) sem_post(&ingredient[i]);
  }
  for (int i = 0; i < kSmokers; ++i) pthread_join(smoker[i], NULL);
  return 0;
}
