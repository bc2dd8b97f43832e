// Each of three waits until main lets them go; then each calls the next by a signal. They are to go in the
// order in which they were created.
#include <assert.h>
#include <pthread.h>

enum { kThreads = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static int came, gone, may_go;

static void* answer(void* number) {
  pthread_mutex_lock(&mutex);
  ++came;
  if (came == kThreads) pthread_cond_signal(&all_here);
  while (!may_go) pthread_cond_wait(&next, &mutex);
  assert((long)number == gone);
  ++gone;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&thread[i], NULL, answer, (void*)(long)i);
  pthread_mutex_lock(&mutex);
  while (came < kThreads) pthread_cond_wait(&all_here, &mutex);
  may_go = 1;
  pthread_cond_signal(&next);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < kThreads; ++i) pthread_join(thread[i], NULL);
  return 0;
}
