// clang-format off
// Semaphores with names. Each run has names of its own, so nothing of one run is there in the next.
//   together   two threads open the same name, which makes it the first time: they get the same semaphore, and it
//              does not matter who was first. The post comes before the wait: 1 behaviour
//   exclusive  two threads want to be the one that makes it: one of them is: 2
//   unlinked   an unlinked semaphore can be used by those who have it, and its name is free for another one: 1
//   absent     a name that nobody has made cannot be opened: 1
//   kept       a semaphore that is never unlinked is not there in the next run: 1
// clang-format on
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static const char name[] = "/mcmini-test";
static sem_t* opened[2];
static int made;

static void* open_and_post(void* unused) {
  opened[0] = sem_open(name, O_CREAT, 0600, 0);
  assert(sem_post(opened[0]) == 0);
  return unused;
}

static void* open_and_wait(void* unused) {
  opened[1] = sem_open(name, O_CREAT, 0600, 0);
  assert(sem_wait(opened[1]) == 0);
  return unused;
}

static void* make(void* unused) {
  sem_t* semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  if (semaphore == SEM_FAILED)
    assert(errno == EEXIST);
  else
    ++made;
  return unused;
}

static void run(void* (*first_routine)(void*), void* (*second_routine)(void*)) {
  pthread_t first, second;
  pthread_create(&first, NULL, first_routine, NULL);
  pthread_create(&second, NULL, second_routine, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static void together(void) {
  run(open_and_post, open_and_wait);
  assert(opened[0] == opened[1]);
  assert(sem_close(opened[0]) == 0 && sem_close(opened[1]) == 0);
  assert(sem_close(opened[0]) == -1 && errno == EINVAL);
  assert(sem_unlink(name) == 0);
}

static void unlinked(void) {
  sem_t* old = sem_open(name, O_CREAT, 0600, 1);
  assert(sem_unlink(name) == 0);
  assert(sem_unlink(name) == -1 && errno == ENOENT);
  sem_t* new = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
  assert(new != SEM_FAILED&& new != old);
  assert(sem_wait(old) == 0 && sem_trywait(old) == -1 && errno == EAGAIN);
  assert(sem_wait(new) == 0 && sem_wait(new) == 0);
  assert(sem_unlink(name) == 0);
}

static void absent(void) {
  assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
  assert(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  assert(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "together") == 0) together();
  if (strcmp(what, "exclusive") == 0) {
    run(make, make);
    assert(made == 1);
  }
  if (strcmp(what, "unlinked") == 0) unlinked();
  if (strcmp(what, "absent") == 0) absent();
  if (strcmp(what, "kept") == 0) assert(sem_open(name, O_CREAT | O_EXCL, 0600, 1) != SEM_FAILED);
  return 0;
}
