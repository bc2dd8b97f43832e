// One thread crashes at once in every run: the "first" that was created, the "last", or "main" itself when it
// has created the others. Two more threads have a deadlock; with "many" there are nine that have none.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int* volatile nothing;

static void* crash(void* unused) {
  *nothing = 1;  // HERE crash
  return unused;
}

static void* forth(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void* back(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(int argc, char** argv) {
  const char* who = argc > 1 ? argv[1] : "first";
  int many = strcmp(who, "many") == 0;
  pthread_t thread[10];
  int n = 0;
  if (many || strcmp(who, "first") == 0) pthread_create(&thread[n++], NULL, crash, NULL);
  for (int i = 0; i < (many ? 8 : 1); ++i) pthread_create(&thread[n++], NULL, forth, NULL);
  pthread_create(&thread[n++], NULL, many ? forth : back, NULL);
  if (strcmp(who, "last") == 0) pthread_create(&thread[n++], NULL, crash, NULL);
  if (strcmp(who, "main") == 0) crash(NULL);
  while (n > 0) pthread_join(thread[--n], NULL);
  return 0;
}
