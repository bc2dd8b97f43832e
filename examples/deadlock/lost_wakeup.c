// A consumer that waits without looking first: if the producer is faster, its signal wakes nobody, and there
// is no other one. Cure: remember in a variable that there is something, and look at it before waiting.
//   mcmini lost_wakeup
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;

static void* produce(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&full);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* consume(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&full, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  return 0;
}
