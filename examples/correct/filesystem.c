// Each of n threads wants a block: it locks the inode of its file, then block after block until one is free
// (Flanagan and Godefroid, POPL 2005). Up to 13 never meet; 14 behave in 2 ways, 16 in 8, 18 in 32.
//   mcmini filesystem [n]
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { kInodes = 32, kBlocks = 26, kMost = 26 };
static pthread_mutex_t inode_locks[kInodes];
static pthread_mutex_t block_locks[kBlocks];
static int inodes[kInodes];
static int busy[kBlocks];

static int take(int block) {
  pthread_mutex_lock(&block_locks[block]);
  int taken = busy[block];
  busy[block] = 1;
  pthread_mutex_unlock(&block_locks[block]);
  return !taken;
}

static void* create_file(void* number) {
  int i = (int)(intptr_t)number % kInodes;
  pthread_mutex_lock(&inode_locks[i]);
  if (inodes[i] == 0) {
    int block = i * 2 % kBlocks;
    while (!take(block)) block = (block + 1) % kBlocks;
    inodes[i] = block + 1;
  }
  pthread_mutex_unlock(&inode_locks[i]);
  return NULL;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 14;
  if (n < 1 || n > kMost) return 2;
  pthread_t threads[kMost];
  for (int i = 0; i < kInodes; ++i) pthread_mutex_init(&inode_locks[i], NULL);
  for (int b = 0; b < kBlocks; ++b) pthread_mutex_init(&block_locks[b], NULL);
  for (int t = 0; t < n; ++t) pthread_create(&threads[t], NULL, create_file, (void*)(intptr_t)t);
  for (int t = 0; t < n; ++t) pthread_join(threads[t], NULL);
  return 0;
}
