// A thread crashes within printf, where it has the lock of stdout. The other one prints as well.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char* volatile nowhere = (const char*)16;

static void* print_nonsense(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  printf("%d %s\n", 1, nowhere);
  return unused;
}

static void* print(void* unused) {
  pthread_mutex_lock(&mutex);
  printf("%d\n", 2);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, print_nonsense, NULL);
  pthread_create(&second, NULL, print, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
