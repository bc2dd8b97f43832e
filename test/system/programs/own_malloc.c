// A malloc of the program's own; two threads take a lock that lies in its heap.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char pool[1 << 22];
static size_t used;

void* malloc(size_t size) {
  void* memory = pool + used;
  used += (size + 31) & ~(size_t)15;
  return memory;
}

void free(void* memory) {
  (void)memory;
}

void* calloc(size_t count, size_t size) {
  return malloc(count * size);
}

void* realloc(void* memory, size_t size) {
  void* moved = malloc(size);
  if (memory != NULL) memcpy(moved, memory, size);
  return moved;
}

static void* take(void* lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutex_t* lock = malloc(sizeof *lock);
  pthread_mutex_init(lock, NULL);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, take, lock);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
