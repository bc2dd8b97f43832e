// Ways to end the process with status 3: ends HOW. Or with status 0, by two threads, while a third one comes
// to an assertion that fails: ends HOW both. Or by main and another one, where main has to run the handlers:
// ends HOW main.
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <error.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int status = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* end(void* how) {
  if (strcmp(how, "exit") == 0) exit(status);
  if (strcmp(how, "_exit") == 0) _exit(status);
  if (strcmp(how, "quick_exit") == 0) quick_exit(status);
  if (strcmp(how, "exit_group") == 0) syscall(SYS_exit_group, status);
  if (strcmp(how, "err") == 0) err(status, "%d ends", 1);
  if (strcmp(how, "errx") == 0) errx(status, "%d ends", 1);
  if (strcmp(how, "error") == 0) {
    error(0, 0, "goes on");
    error(status, 2, "%d ends", 1);
  }
  if (strcmp(how, "error_at_line") == 0) error_at_line(status, 2, "file", 4, "%d ends", 1);
  return NULL;
}

static void end_in_handler(void) {
  _exit(3);
}

static void* fail(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  assert(!"reached");
  return unused;
}

static void both(void* how) {
  pthread_t first, second, third;
  status = 0;
  pthread_create(&first, NULL, end, how);
  pthread_create(&second, NULL, end, how);
  pthread_create(&third, NULL, fail, NULL);
  pthread_join(third, NULL);
}

static pthread_t main_thread;

static void expect_main(void) {
  assert(pthread_equal(pthread_self(), main_thread));
}

static void beside_main(void* how) {
  pthread_t thread;
  main_thread = pthread_self();
  status = 0;
  atexit(expect_main);
  at_quick_exit(expect_main);
  pthread_create(&thread, NULL, end, how);
  end(how);
}

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[2], "main") == 0) return beside_main(argv[1]), 0;
  if (argc > 2) return both(argv[1]), 0;
  pthread_t thread;
  pthread_create(&thread, NULL, end, argv[1]);
  if (strcmp(argv[1], "handler") == 0) atexit(end_in_handler);
  if (strcmp(argv[1], "pthread_exit") == 0) pthread_exit(NULL);
  pthread_join(thread, NULL);
  return strcmp(argv[1], "return") == 0 ? 3 : 0;
}
