// What must not be done to a spinlock.
//   uninitialized  a lock of one that nobody has initialized
//   of_another     an unlock by another thread than the one that has it
//   unlocked       an unlock of one that nobody has
//   destroyed      a lock of one that has been destroyed
//   while_held     a destroy of one that is locked
#include <pthread.h>
#include <string.h>

static pthread_spinlock_t lock;

static void* unlock(void* unused) {
  pthread_spin_unlock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "uninitialized") == 0) pthread_spin_lock(&lock);
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  if (strcmp(what, "of_another") == 0) {
    pthread_t thread;
    pthread_spin_lock(&lock);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_join(thread, NULL);
    pthread_spin_unlock(&lock);
  }
  if (strcmp(what, "unlocked") == 0) pthread_spin_unlock(&lock);
  if (strcmp(what, "destroyed") == 0) {
    pthread_spin_destroy(&lock);
    pthread_spin_lock(&lock);
  }
  if (strcmp(what, "while_held") == 0) {
    pthread_spin_lock(&lock);
    pthread_spin_destroy(&lock);
  }
  return 0;
}
