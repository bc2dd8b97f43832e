// A tree of threads: main has two children, each of these two of its own, and they create them at the same
// time. Every thread but main counts itself before it creates its children.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* grow(void* levels);

static void branch(long levels) {
  pthread_t left, right;
  pthread_create(&left, NULL, grow, (void*)(levels - 1));
  pthread_create(&right, NULL, grow, (void*)(levels - 1));
  pthread_join(left, NULL);
  pthread_join(right, NULL);
}

static void* grow(void* levels) {
  pthread_mutex_lock(&lock);
  ++count;
  pthread_mutex_unlock(&lock);
  if ((long)levels > 0) branch((long)levels);
  return NULL;
}

int main(void) {
  branch(2);
  assert(count == 6);
  return 0;
}
