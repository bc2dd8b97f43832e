// Philosophers who all take the left chopstick first. It works nearly always: of 2^n - 1 behaviours exactly
// one is the deadlock, where everybody holds the left one. A thousand test runs will hardly show it.
//   mcmini philosophers_all_left 5
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 16 };

static int n = 3;
static pthread_mutex_t chopstick[kMost];

static void* dine(void* seat) {
  int left = (int)(long)seat;
  int right = (left + 1) % n;
  pthread_mutex_lock(&chopstick[left]);
  pthread_mutex_lock(&chopstick[right]);
  // Here the philosopher eats.
  pthread_mutex_unlock(&chopstick[right]);
  pthread_mutex_unlock(&chopstick[left]);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 2 || n > kMost) {
    fprintf(stderr, "usage: philosophers_all_left [2..%d]\n", kMost);
    return 2;
  }
  pthread_t philosopher[kMost];
  for (int i = 0; i < n; ++i) pthread_mutex_init(&chopstick[i], NULL);
  for (long i = 0; i < n; ++i) pthread_create(&philosopher[i], NULL, dine, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(philosopher[i], NULL);
  return 0;
}
