// What must not be done to a lock for readers and writers.
//   unlocked    an unlock of one that nobody has
//   of_another  an unlock by a thread that has not locked it, while another one reads
//   write_twice a write lock by the thread that writes
//   read_own    a read lock by the thread that writes
//   while_held  a destroy while a thread reads
//   destroyed   a read lock of one that has been destroyed
//   garbage     a read lock of memory that was never initialized
//   forgotten   a thread that ends while it reads
#include <pthread.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* unlock(void* unused) {
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* read(void* unused) {
  pthread_rwlock_rdlock(&lock);
  return unused;
}

static void run(void* (*routine)(void*)) {
  pthread_t thread;
  pthread_create(&thread, NULL, routine, NULL);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "unlocked") == 0) pthread_rwlock_unlock(&lock);
  if (strcmp(what, "of_another") == 0) {
    pthread_rwlock_rdlock(&lock);
    run(unlock);
    pthread_rwlock_unlock(&lock);
  }
  if (strcmp(what, "write_twice") == 0) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_wrlock(&lock);
  }
  if (strcmp(what, "read_own") == 0) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_rdlock(&lock);
  }
  if (strcmp(what, "while_held") == 0) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock);
  }
  if (strcmp(what, "destroyed") == 0) {
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_rdlock(&lock);
  }
  if (strcmp(what, "garbage") == 0) {
    memset(&lock, 0xa5, sizeof lock);
    pthread_rwlock_rdlock(&lock);
  }
  if (strcmp(what, "forgotten") == 0) run(read);
  return 0;
}
