// Two wrong assertions and a deadlock that have nothing to do with one another: the pair of threads around
// each lock has three behaviours, one of which is the bug.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
static int apples = 1, pears = 1;

static void* buy_apple(void* unused) {
  pthread_mutex_lock(&a);
  int seen = apples;
  pthread_mutex_unlock(&a);
  if (seen == 0) return unused;
  pthread_mutex_lock(&a);
  assert(apples == 1);
  pthread_mutex_unlock(&a);
  return unused;
}

static void* eat_apple(void* unused) {
  pthread_mutex_lock(&a);
  apples = 0;
  pthread_mutex_unlock(&a);
  return unused;
}

static void* buy_pear(void* unused) {
  pthread_mutex_lock(&b);
  int seen = pears;
  pthread_mutex_unlock(&b);
  if (seen == 0) return unused;
  pthread_mutex_lock(&b);
  assert(pears == 1);
  pthread_mutex_unlock(&b);
  return unused;
}

static void* eat_pear(void* unused) {
  pthread_mutex_lock(&b);
  pears = 0;
  pthread_mutex_unlock(&b);
  return unused;
}

static void* forth(void* unused) {
  pthread_mutex_lock(&c);
  pthread_mutex_lock(&d);
  pthread_mutex_unlock(&d);
  pthread_mutex_unlock(&c);
  return unused;
}

static void* back(void* unused) {
  pthread_mutex_lock(&d);
  pthread_mutex_lock(&c);
  pthread_mutex_unlock(&c);
  pthread_mutex_unlock(&d);
  return unused;
}

int main(void) {
  void* (*const routine[])(void*) = {buy_apple, eat_apple, buy_pear, eat_pear, forth, back};
  pthread_t thread[6];
  for (int i = 0; i < 6; ++i) pthread_create(&thread[i], NULL, routine[i], NULL);
  for (int i = 0; i < 6; ++i) pthread_join(thread[i], NULL);
  return 0;
}
