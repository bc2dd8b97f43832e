// Threads that are cancelled while they sleep.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int cleaned;

static void clean(void* arg) {
  (void)arg;
  cleaned = 1;
}

static void* sleep_for_ever(void* arg) {
  pthread_cleanup_push(clean, NULL);
  while (1) sleep(1);
  pthread_cleanup_pop(0);
  return arg;
}

static void* sleep_twice(void* arg) {
  usleep(1);
  usleep(1);
  return arg;
}

int main(int argc, char** argv) {
  (void)argc;
  int for_ever = strcmp(argv[1], "for_ever") == 0;
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, for_ever ? sleep_for_ever : sleep_twice, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED || (!for_ever && result == NULL));
  assert(cleaned == for_ever);
  return 0;
}
