// Philosophers that cannot deadlock: the last one takes the chopsticks the other way round. Behaviours differ
// by who gets each chopstick first: 2^n, less the two where it is always the left, or always the right one.
//   mcmini philosophers 5
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 16 };

static int n = 3;
static pthread_mutex_t chopstick[kMost];

static void* dine(void* seat) {
  int left = (int)(long)seat;
  int right = (left + 1) % n;
  int last = left == n - 1;
  pthread_mutex_t* first = &chopstick[last ? right : left];
  pthread_mutex_t* second = &chopstick[last ? left : right];
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  // Here the philosopher eats.
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 2 || n > kMost) {
    fprintf(stderr, "usage: philosophers [2..%d]\n", kMost);
    return 2;
  }
  pthread_t philosopher[kMost];
  for (int i = 0; i < n; ++i) pthread_mutex_init(&chopstick[i], NULL);
  for (long i = 0; i < n; ++i) pthread_create(&philosopher[i], NULL, dine, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(philosopher[i], NULL);
  return 0;
}
