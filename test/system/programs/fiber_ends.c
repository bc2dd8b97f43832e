// How threads end, and where they have their stacks, where the C library would not have it like that.
//   twice       each forks, and its routine returns in both processes
//   last_locks  main has left, and so has the last thread; what is registered for the end of the process
//   locks in_heap     one makes another one whose stack it has allocated wish        main maps memory where
//   threads' stacks are to come
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_t threads[2];
static pid_t children[2];

static void* take(void* unused) {
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  return unused;
}

static void run(void* (*routine)(void*)) {
  for (int i = 0; i < 2; ++i) assert(pthread_create(&threads[i], NULL, routine, (void*)(size_t)i) == 0);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
}

static void* return_twice(void* argument) {
  take(argument);
  children[(size_t)argument] = fork();
  return argument;
}

static void twice(void) {
  run(return_twice);
  for (int i = 0; i < 2; ++i) {
    int status = 1;
    assert(waitpid(children[i], &status, 0) == children[i] && status == 0);
  }
}

static void take_at_end(void) {
  take(NULL);
}

static void* leave(void* unused) {
  pthread_exit(unused);
}

static void last_locks(void) {
  atexit(take_at_end);
  assert(pthread_create(&threads[0], NULL, leave, NULL) == 0);
  pthread_exit(NULL);
}

static void* give_stack(void* unused) {
  enum { kSize = 1 << 18 };
  void* stack = aligned_alloc(4096, kSize);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstack(&attributes, stack, kSize) == 0);
  pthread_t other;
  assert(pthread_create(&other, &attributes, take, stack) == 0);
  void* value = NULL;
  assert(pthread_join(other, &value) == 0 && value == stack);
  pthread_attr_destroy(&attributes);
  free(stack);
  return unused;
}

static void* look_where(void* where) {
  char here = 0;
  *(char**)where = &here;
  return take(NULL);
}

static void wish(void) {
  enum { kSize = 1 << 25 };
  char* probe = NULL;
  assert(pthread_create(&threads[0], NULL, look_where, &probe) == 0);
  assert(pthread_join(threads[0], NULL) == 0);
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS;
  char* wanted = (char*)((size_t)probe & ~(size_t)0xfff) + kSize / 4;  // where the next thread goes
  char* memory = mmap(wanted, kSize, PROT_READ | PROT_WRITE, kind, -1, 0);
  assert(memory != MAP_FAILED);
  memset(memory, 42, kSize);
  assert(mmap(wanted, kSize, PROT_READ, kind | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED && errno == EEXIST);
  run(take);
  for (int i = 0; i < kSize; ++i) assert(memory[i] == 42);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "twice") == 0) twice();
  if (strcmp(what, "last_locks") == 0) last_locks();
  if (strcmp(what, "in_heap") == 0) run(give_stack);
  if (strcmp(what, "wish") == 0) wish();
  return 0;
}
