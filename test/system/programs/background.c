// A thread that works for ever in the background. Main does not wait for it; with an argument it uses the
// same lock once before it returns.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  while (1) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(int argc, char** argv) {
  (void)argv;
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  if (argc > 1) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
