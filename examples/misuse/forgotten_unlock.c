// A copy may fail for want of memory, which never happens in a test. mc_choose(2) is both 0 and 1 under
// mcmini, so that the failure is tried, too: a return that leaves the lock taken.
//   mcmini forgotten_unlock
#include <mcmini/annotate.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int copies;

static int out_of_memory(void) {
  return mc_choose(2);
}

static void* copy(void* unused) {
  pthread_mutex_lock(&lock);
  if (out_of_memory()) return NULL;
  ++copies;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, copy, NULL);
  pthread_create(&two, NULL, copy, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
