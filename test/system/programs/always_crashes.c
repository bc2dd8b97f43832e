// One thread crashes at once in every run (with an argument: main does). Two others have a deadlock.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int* volatile nothing;

static void* crash(void* unused) {
  *nothing = 1;
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
  (void)argv;
  pthread_t first, second, third;
  pthread_create(&first, NULL, argc > 1 ? forth : crash, NULL);
  pthread_create(&second, NULL, forth, NULL);
  pthread_create(&third, NULL, back, NULL);
  if (argc > 1) crash(NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
