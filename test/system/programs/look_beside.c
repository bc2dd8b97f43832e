// Main and a thread may wait for each other for ever. Two others lock to look for what the thread sets after
// that.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void* nest_then_set_flag(void* unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* look_for_flag(void* unused) {
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&mutex);
    seen = flag;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t setter, looker, other_looker;
  pthread_create(&setter, NULL, nest_then_set_flag, NULL);
  pthread_create(&looker, NULL, look_for_flag, NULL);
  pthread_create(&other_looker, NULL, look_for_flag, NULL);
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  pthread_join(setter, NULL);
  pthread_join(looker, NULL);
  pthread_join(other_looker, NULL);
  return 0;
}
