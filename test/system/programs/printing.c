// Threads that print, open files and have libc allocate for them. Each then uses a mutex that it has
// allocated itself; with "shared" they also meet at a common one.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void* talk(void* which) {
  printf("thread %ld begins\n", (long)which);
  FILE* file = fopen("/proc/self/status", "r");
  char* line = NULL;
  size_t size = 0;
  if (getline(&line, &size, file) > 0) printf("%zu\n", strlen(line));
  fclose(file);
  free(line);
  char* copy = strdup("a copy");
  pthread_mutex_t* own = calloc(1, sizeof *own);
  pthread_mutex_lock(own);
  printf("%s for %ld\n", copy, (long)which);
  pthread_mutex_unlock(own);
  free(copy);
  free(own);
  if (shared) {
    pthread_mutex_lock(&common);
    printf("thread %ld ends\n", (long)which);
    pthread_mutex_unlock(&common);
  }
  return NULL;
}

int main(int argc, char** argv) {
  shared = argc > 1 && strcmp(argv[1], "shared") == 0;
  pthread_t thread[3];
  for (long i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, talk, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
  return 0;
}
