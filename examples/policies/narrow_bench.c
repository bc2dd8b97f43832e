// Three sit down on a narrow bench, and who gets up first must sit at an end: who came first does, so does
// who came last, but a signal may wake the one between: wrong under arbitrary, and so under spurious.
//   mcmini --policy arbitrary narrow_bench
#include <assert.h>
#include <pthread.h>

enum { kGuests = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static int came, gone, may_go;

static void* sit(void* unused) {
  pthread_mutex_lock(&mutex);
  int seat = came++;
  if (came == kGuests) pthread_cond_signal(&all_here);
  while (!may_go) pthread_cond_wait(&next, &mutex);
  assert(gone > 0 || seat != 1);
  ++gone;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread[kGuests];
  for (int i = 0; i < kGuests; ++i) pthread_create(&thread[i], NULL, sit, NULL);
  pthread_mutex_lock(&mutex);
  while (came < kGuests) pthread_cond_wait(&all_here, &mutex);
  may_go = 1;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < kGuests; ++i) pthread_join(thread[i], NULL);
  return 0;
}
