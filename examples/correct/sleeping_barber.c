// The sleeping barber: customers take a chair if one is free, else they go; the barber sleeps until one
// comes. Those who go tell the barber, too, who closes the shop when all have been there.
//   mcmini sleeping_barber 2 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;
static sem_t somebody, chair_is_free;
static int n = 2, chairs = 1;
static int waiting, served, gone;

static void* cut_hair(void* unused) {
  for (int i = 0; i < n; ++i) {
    sem_wait(&somebody);
    pthread_mutex_lock(&shop);
    int customer = waiting > 0;
    if (customer) --waiting;
    pthread_mutex_unlock(&shop);
    if (customer) sem_post(&chair_is_free);
  }
  return unused;
}

static void* get_a_cut(void* unused) {
  pthread_mutex_lock(&shop);
  int stays = waiting < chairs;
  if (stays)
    ++waiting;
  else
    ++gone;
  pthread_mutex_unlock(&shop);
  sem_post(&somebody);
  if (!stays) return unused;
  sem_wait(&chair_is_free);
  pthread_mutex_lock(&shop);
  ++served;
  pthread_mutex_unlock(&shop);
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) chairs = atoi(argv[2]);
  if (n < 1 || n > kMost || chairs < 0) {
    fprintf(stderr, "usage: sleeping_barber [1..%d [CHAIRS]]\n", kMost);
    return 2;
  }
  sem_init(&somebody, 0, 0);
  sem_init(&chair_is_free, 0, 0);
  pthread_t barber, customer[kMost];
  pthread_create(&barber, NULL, cut_hair, NULL);
  for (int i = 0; i < n; ++i) pthread_create(&customer[i], NULL, get_a_cut, NULL);
  for (int i = 0; i < n; ++i) pthread_join(customer[i], NULL);
  pthread_join(barber, NULL);
  assert(served + gone == n);
  return 0;
}
