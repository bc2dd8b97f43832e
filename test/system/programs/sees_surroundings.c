// Prints what it was called with, then waits for itself.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char** argv) {
  char line[100] = "nothing";
  char directory[1000];
  if (fgets(line, sizeof line, stdin) == NULL) line[0] = 0;
  printf("called with <%s>, given <%.5s>, in %s\n", argc > 1 ? argv[1] : "nothing", line,
         getcwd(directory, sizeof directory));
  printf("preloaded %s, shell %s\n", getenv("LD_PRELOAD") == NULL ? "nothing" : getenv("LD_PRELOAD"),
         getenv("SHELL") == NULL ? "none" : getenv("SHELL"));
  printf("wide %s\n", getenv("COLUMNS") == NULL ? "unknown" : getenv("COLUMNS"));
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return 0;
}
