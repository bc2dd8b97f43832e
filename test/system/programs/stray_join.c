// Threads that tell each other by plain memory, which nobody watches, what to do next: in many planned orders
// they do something else, and have not ended where main is to join them.
#include <pthread.h>
#include <semaphore.h>

static sem_t s, t;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, y;

static void count(volatile int* counter) {
  pthread_mutex_lock(&mutex);
  ++*counter;
  pthread_mutex_unlock(&mutex);
}

static void* first(void* unused) {
  sem_wait(&s);
  if (y == 0) {
    count(&x);
    y++;
  }
  if (x == 0) sem_post(&t);
  sem_post(&t);
  return unused;
}

static void* second(void* unused) {
  sem_wait(&s);
  if (x == 0) sem_post(&s);
  if (y == 0) count(&y);
  return unused;
}

static void* third(void* unused) {
  if (x == 0) {
    x--;
    sem_post(&s);
  }
  count(&y);
  sem_wait(&t);
  x--;
  return unused;
}

int main(void) {
  void* (*routines[])(void*) = {first, second, third};
  pthread_t threads[3];
  sem_init(&s, 0, 1);
  sem_init(&t, 0, 1);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, routines[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
