// A shutdown that comes too early: main takes the configuration away before it waits for the worker. If the
// worker was faster nothing happens; if not, it looks for the configuration at address zero.
//   mcmini use_after_teardown
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct configuration {
  int retries;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct configuration* configuration;
static int retries;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  retries = configuration->retries;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void tear_down(void) {
  pthread_mutex_lock(&lock);
  free(configuration);
  configuration = NULL;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  configuration = malloc(sizeof *configuration);
  configuration->retries = 3;
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  tear_down();
  pthread_join(worker, NULL);
  printf("the worker may try %d times\n", retries);
  return 0;
}
