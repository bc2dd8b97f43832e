// A thread that is cancelled where it waits for a signal, which nobody sends.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int cleaned;

static void clean(void* arg) {
  (void)arg;
  cleaned = 1;
}

static void* wait_for_signal(void* arg) {
  sigset_t all;
  int got;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_cleanup_push(clean, NULL);
  sigwait(&all, &got);
  pthread_cleanup_pop(0);
  return arg;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, wait_for_signal, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && cleaned);
  return 0;
}
