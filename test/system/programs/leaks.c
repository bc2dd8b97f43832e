// Things that are initialized by a call, and what becomes of them.
//   mutex, cond, rwlock, barrier, semaphore, spin   it is never destroyed
//   both        neither a mutex nor a condition variable is destroyed
//   destroyed   everything is destroyed
//   static      nothing needs to be: no call has initialized it
//   heap        three mutexes of one place in the program
//   sometimes   a mutex that is destroyed only if the thread was fast
//   gives_up    the process ends with another status than 0
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t semaphore;
static int fast;

static void use_static(void) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&cond);
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_unlock(&mutex);
}

// One place in the program, whatever the compiler does with the loop.
__attribute__((noinline)) static int allocate(void) {
  return pthread_mutex_init(malloc(sizeof(pthread_mutex_t)), NULL) == 0;
}

static void* hurry(void* unused) {
  pthread_mutex_lock(&mutex);
  fast = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void sometimes(void) {
  pthread_t thread;
  pthread_mutex_init(&other, NULL);
  pthread_create(&thread, NULL, hurry, NULL);
  pthread_mutex_lock(&mutex);
  int is_fast = fast;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  if (is_fast) pthread_mutex_destroy(&other);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  int all = strcmp(what, "destroyed") == 0;
  int both = strcmp(what, "both") == 0;
  if (all || both || strcmp(what, "mutex") == 0 || strcmp(what, "gives_up") == 0)
    pthread_mutex_init(&other, NULL);  // HERE mutex
  if (all || both || strcmp(what, "cond") == 0) pthread_cond_init(&cond, NULL);
  if (all || strcmp(what, "rwlock") == 0) pthread_rwlock_init(&rwlock, NULL);
  if (all || strcmp(what, "barrier") == 0) pthread_barrier_init(&barrier, NULL, 1);
  if (all || strcmp(what, "semaphore") == 0) sem_init(&semaphore, 0, 0);
  if (all || strcmp(what, "spin") == 0) pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  if (all) {
    pthread_mutex_destroy(&other);
    pthread_cond_destroy(&cond);
    pthread_rwlock_destroy(&rwlock);
    pthread_barrier_destroy(&barrier);
    sem_destroy(&semaphore);
    pthread_spin_destroy(&spin);
  }
  if (strcmp(what, "static") == 0) use_static();
  if (strcmp(what, "heap") == 0)
    for (int i = 0; i < 3; ++i)
      if (!allocate()) return 1;
  if (strcmp(what, "sometimes") == 0) sometimes();
  return strcmp(what, "gives_up") == 0 ? 3 : 0;
}
