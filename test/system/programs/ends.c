// Ways to end the process with status 3.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* end(void* how) {
  if (strcmp(how, "exit") == 0) exit(3);
  if (strcmp(how, "_exit") == 0) _exit(3);
  if (strcmp(how, "quick_exit") == 0) quick_exit(3);
  return NULL;
}

static void end_in_handler(void) {
  _exit(3);
}

int main(int argc, char** argv) {
  (void)argc;
  pthread_t thread;
  pthread_create(&thread, NULL, end, argv[1]);
  if (strcmp(argv[1], "handler") == 0) atexit(end_in_handler);
  if (strcmp(argv[1], "pthread_exit") == 0) pthread_exit(NULL);
  pthread_join(thread, NULL);
  return strcmp(argv[1], "return") == 0 ? 3 : 0;
}
