// Cells 0 to n, all zero, each under a lock of its own. Writer j stores what it reads in cell j-1, plus one,
// into cell j; one more thread, created first, searches down from cell n for a zero: 64 behaviours for n = 5.
//   mcmini last_zero 5
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 16 };
static pthread_mutex_t locks[kMost + 1];
static int cells[kMost + 1];
static int n = 3;

static int read_cell(int i) {
  pthread_mutex_lock(&locks[i]);
  int value = cells[i];
  pthread_mutex_unlock(&locks[i]);
  return value;
}

static void write_cell(int i, int value) {
  pthread_mutex_lock(&locks[i]);
  cells[i] = value;
  pthread_mutex_unlock(&locks[i]);
}

static void* search(void* unused) {
  for (int i = n; read_cell(i) != 0; --i) {
  }
  return unused;
}

static void* count(void* number) {
  int j = (int)(intptr_t)number;
  write_cell(j, read_cell(j - 1) + 1);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > kMost) {
    fprintf(stderr, "usage: last_zero [1..%d]\n", kMost);
    return 2;
  }
  pthread_t threads[kMost + 1];
  for (int i = 0; i <= n; ++i) pthread_mutex_init(&locks[i], NULL);
  pthread_create(&threads[0], NULL, search, NULL);
  for (int j = 1; j <= n; ++j) pthread_create(&threads[j], NULL, count, (void*)(intptr_t)j);
  for (int i = 0; i <= n; ++i) pthread_join(threads[i], NULL);
  return 0;
}
