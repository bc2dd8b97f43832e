// What must not be done to a semaphore.
//   overflow       a post to one that has the largest value there is
//   uninitialized  a wait for one that nobody has initialized
//   late           a thread that is started before its semaphore is initialized
//   destroyed      a post to one that has been destroyed
//   while_waiting  a destroy while a thread waits
//   named          sem_destroy for what sem_open made
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t s;

static void* wait(void* unused) {
  sem_wait(&s);
  return unused;
}

static void late(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  sem_init(&s, 0, 1);
  pthread_join(thread, NULL);
}

static void while_waiting(void) {
  pthread_t thread;
  sem_init(&s, 0, 0);
  pthread_create(&thread, NULL, wait, NULL);
  sem_destroy(&s);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "overflow") == 0) {
    sem_init(&s, 0, SEM_VALUE_MAX);
    sem_post(&s);
  }
  if (strcmp(what, "uninitialized") == 0) sem_wait(&s);
  if (strcmp(what, "late") == 0) late();
  if (strcmp(what, "destroyed") == 0) {
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    sem_post(&s);
  }
  if (strcmp(what, "while_waiting") == 0) while_waiting();
  if (strcmp(what, "named") == 0) sem_destroy(sem_open("/mcmini-test", O_CREAT, 0600, 1));
  return 0;
}
