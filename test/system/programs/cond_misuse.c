// What must not be done to a condition variable.
//   without_mutex     a wait without the mutex
//   of_another        a wait while another thread has the mutex
//   two_mutexes       two threads wait with one mutex each
//   wait_destroyed    a wait for one that has been destroyed
//   signal_destroyed  a signal to the same
//   destroy_twice     a destroy of the same
//   wait_garbage      a wait for memory that was never initialized
//   signal_garbage    a signal to the same
//   destroy_garbage   a destroy of the same
//   destroy_waiting   a destroy while a thread waits
//   init_waiting      an initialization while a thread waits
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting;

static void* await(void* chosen) {
  pthread_mutex_lock(chosen);
  ++waiting;
  pthread_cond_wait(&cond, chosen);
  pthread_mutex_unlock(chosen);
  return NULL;
}

static void* await_without(void* chosen) {
  pthread_cond_wait(&cond, chosen);
  return NULL;
}

static void two_mutexes(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, await, &mutex);
  pthread_create(&second, NULL, await, &other);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void of_another(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, await_without, &mutex);
  pthread_join(thread, NULL);
  pthread_mutex_unlock(&mutex);
}

// The thread waits, or has not come yet: only if it waits is there a mistake.
static void while_waiting(int again) {
  pthread_t thread;
  pthread_create(&thread, NULL, await, &mutex);
  pthread_mutex_lock(&mutex);
  if (waiting) {
    if (again)
      pthread_cond_init(&cond, NULL);
    else
      pthread_cond_destroy(&cond);
  }
  pthread_mutex_unlock(&mutex);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "without_mutex") == 0) pthread_cond_wait(&cond, &mutex);
  if (strcmp(what, "of_another") == 0) of_another();
  if (strcmp(what, "two_mutexes") == 0) two_mutexes();
  if (strcmp(what, "destroy_waiting") == 0) while_waiting(0);
  if (strcmp(what, "init_waiting") == 0) while_waiting(1);
  if (strstr(what, "_destroyed") != NULL || strcmp(what, "destroy_twice") == 0) pthread_cond_destroy(&cond);
  if (strcmp(what, "destroy_twice") == 0) pthread_cond_destroy(&cond);
  if (strstr(what, "_garbage") != NULL) memset(&cond, 0xa5, sizeof cond);
  if (strcmp(what, "destroy_garbage") == 0) pthread_cond_destroy(&cond);
  if (strncmp(what, "signal_", 7) == 0) pthread_cond_signal(&cond);
  if (strncmp(what, "wait_", 5) == 0) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
  }
  return 0;
}
