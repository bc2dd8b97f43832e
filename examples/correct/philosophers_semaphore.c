// Philosophers that cannot deadlock, because a semaphore lets at most n - 1 of them sit at the table: one of
// them always gets both chopsticks. The order in which they sit down matters, so there are many behaviours.
//   mcmini --policy sem=fifo philosophers_semaphore 3
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 16 };

static int n = 3;
static sem_t seats;
static pthread_mutex_t chopstick[kMost];

static void* dine(void* seat) {
  int left = (int)(long)seat;
  int right = (left + 1) % n;
  sem_wait(&seats);
  pthread_mutex_lock(&chopstick[left]);
  pthread_mutex_lock(&chopstick[right]);
  // Here the philosopher eats.
  pthread_mutex_unlock(&chopstick[left]);
  pthread_mutex_unlock(&chopstick[right]);
  sem_post(&seats);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 2 || n > kMost) {
    fprintf(stderr, "usage: philosophers_semaphore [2..%d]\n", kMost);
    return 2;
  }
  pthread_t philosopher[kMost];
  sem_init(&seats, 0, (unsigned)(n - 1));
  for (int i = 0; i < n; ++i) pthread_mutex_init(&chopstick[i], NULL);
  for (long i = 0; i < n; ++i) pthread_create(&philosopher[i], NULL, dine, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(philosopher[i], NULL);
  return 0;
}
