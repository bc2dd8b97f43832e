// Threads that make the calls that their arguments say, a letter each.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

enum { kMostThreads = 3 };

static pthread_mutex_t mutex;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond;
static pthread_rwlock_t rwlock;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static pthread_t threads[kMostThreads];

static void post_once(void) {
  sem_post(&semaphore);
}

static void try_mutex(void) {
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
}

static void call(char letter) {
  const struct timespec later = {2000000000, 0};
  switch (letter) {
    case 'L':
      pthread_mutex_lock(&mutex);
      break;
    case 'U':
      pthread_mutex_unlock(&mutex);
      break;
    case 'T':
      try_mutex();
      break;
    case 'K':
      pthread_mutex_timedlock(&mutex, &later);
      break;
    case 'I':
      pthread_mutex_init(&mutex, NULL);
      break;
    case 'D':
      pthread_mutex_destroy(&mutex);
      break;
    case 'E':
      pthread_mutex_lock(&checked);
      break;
    case 'F':
      pthread_mutex_unlock(&checked);
      break;
    case 'G':
      pthread_mutex_destroy(&checked);
      break;
    case 'W':
      pthread_cond_wait(&cond, &mutex);
      break;
    case 'V':
      pthread_cond_timedwait(&cond, &mutex, &later);
      break;
    case 'S':
      pthread_cond_signal(&cond);
      break;
    case 'B':
      pthread_cond_broadcast(&cond);
      break;
    case 'C':
      pthread_cond_destroy(&cond);
      break;
    case 'r':
      pthread_rwlock_rdlock(&rwlock);
      break;
    case 'w':
      pthread_rwlock_wrlock(&rwlock);
      break;
    case 'u':
      pthread_rwlock_unlock(&rwlock);
      break;
    case 'x':
      pthread_rwlock_destroy(&rwlock);
      break;
    case 'p':
      sem_post(&semaphore);
      break;
    case 'q':
      sem_wait(&semaphore);
      break;
    case 't':
      sem_trywait(&semaphore);
      break;
    case 'i':
      sem_init(&semaphore, 0, 1);
      break;
    case 'd':
      sem_destroy(&semaphore);
      break;
    case 'l':
      pthread_spin_lock(&spin);
      break;
    case 'n':
      pthread_spin_unlock(&spin);
      break;
    case 'y':
      pthread_spin_destroy(&spin);
      break;
    case 'o':
      pthread_once(&once, post_once);
      break;
    case 'X':
      pthread_cancel(threads[0]);
      break;
    default:
      break;
  }
}

static void* make_calls(void* letters) {
  for (const char* next = letters; *next != '\0'; ++next) call(*next);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&cond, NULL);
  pthread_rwlock_init(&rwlock, NULL);
  pthread_spin_init(&spin, 0);
  sem_init(&semaphore, 0, 0);
  for (int i = 1; i < argc && i <= kMostThreads; ++i)
    pthread_create(&threads[i - 1], NULL, make_calls, argv[i]);
  for (int i = 1; i < argc && i <= kMostThreads; ++i) pthread_join(threads[i - 1], NULL);
  return 0;
}
