// Two threads take two locks in opposite order, while n others go on working with locks of their own. The
// program does not stand still as a whole, so nobody notices, least of all if they work `forever`.
//   mcmini partial_deadlock 2
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 16, kPieces = 3 };

static pthread_mutex_t inbox = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t outbox = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own[kMost];
static int forever;

static void* file_letters(void* unused) {
  pthread_mutex_lock(&inbox);
  pthread_mutex_lock(&outbox);
  pthread_mutex_unlock(&outbox);
  pthread_mutex_unlock(&inbox);
  return unused;
}

static void* answer_letters(void* unused) {
  pthread_mutex_lock(&outbox);
  pthread_mutex_lock(&inbox);
  pthread_mutex_unlock(&inbox);
  pthread_mutex_unlock(&outbox);
  return unused;
}

static void* work_on(void* which) {
  pthread_mutex_t* mine = &own[(long)which];
  for (int piece = 0; forever || piece < kPieces; ++piece) {
    pthread_mutex_lock(mine);
    pthread_mutex_unlock(mine);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  if (n < 0 || n > kMost) {
    fprintf(stderr, "usage: partial_deadlock [0..%d [forever]]\n", kMost);
    return 2;
  }
  forever = argc > 2 && strcmp(argv[2], "forever") == 0;
  pthread_t clerk, secretary, worker[kMost];
  pthread_create(&clerk, NULL, file_letters, NULL);
  pthread_create(&secretary, NULL, answer_letters, NULL);
  for (int i = 0; i < n; ++i) pthread_mutex_init(&own[i], NULL);
  for (long i = 0; i < n; ++i) pthread_create(&worker[i], NULL, work_on, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(worker[i], NULL);
  pthread_join(clerk, NULL);
  pthread_join(secretary, NULL);
  return 0;
}
