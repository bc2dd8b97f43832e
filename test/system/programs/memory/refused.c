// One thread writes and takes something; main looks at what it has written only if it does not get that:
// refused WHAT
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

int shared;
volatile int seen;
static const char* what;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t token;

static int is(const char* name) {
  return strcmp(what, name) == 0;
}

static void take(void) {
  if (is("mutex")) pthread_mutex_lock(&mutex);
  if (is("rwlock")) pthread_rwlock_rdlock(&lock);
  if (is("spin")) pthread_spin_lock(&spin);
  if (is("semaphore") || is("value")) sem_wait(&token);
}

static void give(void) {
  if (is("mutex")) pthread_mutex_unlock(&mutex);
  if (is("rwlock")) pthread_rwlock_unlock(&lock);
  if (is("spin")) pthread_spin_unlock(&spin);
  if (is("semaphore") || is("value")) sem_post(&token);
}

static int is_refused(void) {
  if (is("mutex")) return pthread_mutex_trylock(&mutex) != 0;
  if (is("rwlock")) return pthread_rwlock_trywrlock(&lock) != 0;
  if (is("spin")) return pthread_spin_trylock(&spin) != 0;
  if (is("semaphore")) return sem_trywait(&token) != 0;
  int value = 0;
  sem_getvalue(&token, &value);
  return value == 0;
}

static void* write_and_take(void* unused) {
  shared = 1;
  take();
  give();
  return unused;
}

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "mutex";
  sem_init(&token, 0, 1);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_t thread;
  pthread_create(&thread, NULL, write_and_take, NULL);
  if (is_refused())
    seen = shared;
  else if (!is("value"))
    give();
  pthread_join(thread, NULL);
  return 0;
}
