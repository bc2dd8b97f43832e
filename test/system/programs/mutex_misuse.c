// What must not be done to a mutex.
//   unlocked         an unlock of one that nobody has
//   unlock_twice     an unlock by a thread that had it
//   lock_destroyed   a lock of one that has been destroyed
//   unlock_destroyed an unlock of the same
//   destroy_twice    a destroy of the same
//   garbage          a lock of memory that was never initialized
//   destroy_garbage  a destroy of the same
//   too_early        a lock by a thread that need not wait for the initialization
//   too_early_zero   the same, of memory that is a mutex of another type before
//   overwritten      a lock of one whose memory has been overwritten
//   destroy_own      a destroy by the thread that has it
//   destroy_other    a destroy while another thread has it
//   init_held        an initialization while a thread has it
//   relock           a lock by the thread that has it
//   forgotten        a thread that ends with it in its hands
//   exit_holding     a thread that calls pthread_exit with it in its hands
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t locked;
static sem_t never;

static void* keep(void* unused) {
  pthread_mutex_lock(&lock);
  return unused;
}

static void* keep_and_exit(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_exit(unused);
}

// Main destroys the lock after this.
static void* keep_for_a_while(void* unused) {
  pthread_mutex_lock(&lock);
  sem_post(&locked);
  sem_wait(&never);
  return unused;
}

static void run(void* (*routine)(void*)) {
  pthread_t thread;
  pthread_create(&thread, NULL, routine, NULL);
  pthread_join(thread, NULL);
}

static void destroy_other(void) {
  pthread_t thread;
  sem_init(&locked, 0, 0);
  sem_init(&never, 0, 0);
  pthread_create(&thread, NULL, keep_for_a_while, NULL);
  sem_wait(&locked);
  pthread_mutex_destroy(&lock);
  pthread_join(thread, NULL);
}

static void* use(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void too_early(int byte) {
  pthread_t thread;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  memset(&lock, byte, sizeof lock);
  pthread_create(&thread, NULL, use, NULL);
  pthread_mutex_init(&lock, &recursive);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "unlocked") == 0) pthread_mutex_unlock(&lock);
  if (strcmp(what, "unlock_twice") == 0) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
  }
  if (strstr(what, "_destroyed") != NULL || strcmp(what, "destroy_twice") == 0) pthread_mutex_destroy(&lock);
  if (strcmp(what, "lock_destroyed") == 0) pthread_mutex_lock(&lock);
  if (strcmp(what, "unlock_destroyed") == 0) pthread_mutex_unlock(&lock);
  if (strcmp(what, "destroy_twice") == 0) pthread_mutex_destroy(&lock);
  if (strcmp(what, "overwritten") == 0) pthread_mutex_init(&lock, NULL);
  if (strstr(what, "garbage") != NULL || strcmp(what, "overwritten") == 0) memset(&lock, 0xa5, sizeof lock);
  if (strcmp(what, "destroy_garbage") == 0)
    pthread_mutex_destroy(&lock);
  else if (strstr(what, "garbage") != NULL || strcmp(what, "overwritten") == 0)
    pthread_mutex_lock(&lock);
  if (strcmp(what, "too_early") == 0) too_early(0xa5);
  if (strcmp(what, "too_early_zero") == 0) too_early(0);
  if (strcmp(what, "destroy_own") == 0) {
    pthread_mutex_lock(&lock);
    pthread_mutex_destroy(&lock);
  }
  if (strcmp(what, "destroy_other") == 0) destroy_other();
  if (strcmp(what, "init_held") == 0) {
    pthread_mutex_lock(&lock);
    pthread_mutex_init(&lock, NULL);
  }
  if (strcmp(what, "relock") == 0) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
  }
  if (strcmp(what, "forgotten") == 0) run(keep);
  if (strcmp(what, "exit_holding") == 0) run(keep_and_exit);
  return 0;
}
