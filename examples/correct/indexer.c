// Each of n threads puts four messages into a table of 128 cells with locks; where one is taken it tries the
// next (Flanagan and Godefroid, POPL 2005). Up to 11 never meet; 12 behave in 8 ways, 13 in 64, and so on.
//   mcmini indexer [n]
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { kCells = 128, kMessages = 4, kMost = 16 };
static pthread_mutex_t locks[kCells];
static int table[kCells];

static int take(int cell, int word) {
  pthread_mutex_lock(&locks[cell]);
  int taken = table[cell] != 0;
  if (!taken) table[cell] = word;
  pthread_mutex_unlock(&locks[cell]);
  return !taken;
}

static void* insert(void* number) {
  int t = (int)(intptr_t)number;
  for (int m = 1; m <= kMessages; ++m) {
    int word = m * 11 + t;
    int cell = word * 7 % kCells;
    while (!take(cell, word)) cell = (cell + 1) % kCells;
  }
  return NULL;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 12;
  if (n < 1 || n > kMost) return 2;
  pthread_t threads[kMost];
  for (int i = 0; i < kCells; ++i) pthread_mutex_init(&locks[i], NULL);
  for (int t = 0; t < n; ++t) pthread_create(&threads[t], NULL, insert, (void*)(intptr_t)t);
  for (int t = 0; t < n; ++t) pthread_join(threads[t], NULL);
  return 0;
}
