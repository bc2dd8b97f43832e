// Threads that are cancelled where they read or write, or wait until they can.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];
static int file;
static int cleaned;

static void clean(void* arg) {
  (void)arg;
  cleaned = 1;
}

// Nobody writes: it waits in the kernel.
static void* read_for_ever(void* arg) {
  char letter;
  pthread_cleanup_push(clean, NULL);
  assert(read(ends[0], &letter, 1) == 1);
  pthread_cleanup_pop(0);
  return arg;
}

static void* poll_for_ever(void* arg) {
  struct pollfd end = {ends[0], POLLIN, 0};
  pthread_cleanup_push(clean, NULL);
  assert(ppoll(&end, 1, NULL, NULL) == 1);
  pthread_cleanup_pop(0);
  return arg;
}

static void* write_elsewhere(void* arg) {
  struct iovec piece = {"a", 1};
  pthread_cleanup_push(clean, NULL);
  assert(pwrite64(file, "a", 1, 0) == 1);
  assert(preadv(file, &piece, 0, 0) == 0);
  pthread_cleanup_pop(0);
  return arg;
}

static void* write_twice(void* arg) {
  pthread_cleanup_push(clean, NULL);
  assert(write(ends[1], "a", 1) == 1);
  assert(write(ends[1], "b", 1) == 1);
  pthread_cleanup_pop(0);
  return arg;
}

static void* read_undisturbed(void* arg) {
  char letter;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  assert(read(ends[0], &letter, 1) == 1);
  return arg;
}

int main(int argc, char** argv) {
  (void)argc;
  const char* way = argv[1];
  pthread_t thread;
  void* result;
  assert(pipe(ends) == 0);
  file = memfd_create("file", 0);
  void* (*start)(void*) = strcmp(way, "read") == 0        ? read_for_ever
                          : strcmp(way, "poll") == 0      ? poll_for_ever
                          : strcmp(way, "write") == 0     ? write_twice
                          : strcmp(way, "elsewhere") == 0 ? write_elsewhere
                                                          : read_undisturbed;
  pthread_create(&thread, NULL, start, NULL);
  pthread_cancel(thread);
  if (start == read_undisturbed) assert(write(ends[1], "x", 1) == 1);
  pthread_join(thread, &result);
  if (start == read_for_ever || start == poll_for_ever) assert(result == PTHREAD_CANCELED);
  if (start == read_undisturbed) assert(result == NULL);
  assert(cleaned == (result == PTHREAD_CANCELED));
  return 0;
}
