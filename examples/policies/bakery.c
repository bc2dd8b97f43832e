// Customers wait until a bakery opens; then each who is served calls the next. That who came first is served
// first is what the program relies on, and what POSIX does not promise: it is correct under fifo only.
//   mcmini --policy fifo bakery
#include <assert.h>
#include <pthread.h>

enum { kCustomers = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static int came, gone, may_go;

static void* buy(void* unused) {
  pthread_mutex_lock(&mutex);
  int number = came++;
  if (came == kCustomers) pthread_cond_signal(&all_here);
  while (!may_go) pthread_cond_wait(&next, &mutex);
  assert(number == gone);
  ++gone;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread[kCustomers];
  for (int i = 0; i < kCustomers; ++i) pthread_create(&thread[i], NULL, buy, NULL);
  pthread_mutex_lock(&mutex);
  while (came < kCustomers) pthread_cond_wait(&all_here, &mutex);
  may_go = 1;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < kCustomers; ++i) pthread_join(thread[i], NULL);
  return 0;
}
