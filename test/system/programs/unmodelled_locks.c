// Two threads take two locks that nobody models, in opposite orders: those of streams, or semaphores of the
// system ("semaphores"). With "alone", main does so before there is another thread.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>

static FILE* streams[2];
static int set;
static int usesSemaphores;

static void change(int lock, short by) {
  struct sembuf operation = {(unsigned short)lock, by, 0};
  semop(set, &operation, 1);
}

static void take(int lock) {
  if (usesSemaphores)
    change(lock, -1);
  else
    flockfile(streams[lock]);
}

static void give(int lock) {
  if (usesSemaphores)
    change(lock, 1);
  else
    funlockfile(streams[lock]);
}

static void takeBoth(int first) {
  take(first);
  take(1 - first);
  give(1 - first);
  give(first);
}

static void* forth(void* unused) {
  takeBoth(0);
  return unused;
}

static void* back(void* unused) {
  takeBoth(1);
  return unused;
}

static void* nothing(void* unused) {
  return unused;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int alone = strcmp(how, "alone") == 0;
  pthread_t threads[2];
  usesSemaphores = strcmp(how, "semaphores") == 0;
  streams[0] = fopen("/dev/null", "r");
  streams[1] = fopen("/dev/null", "r");
  if (usesSemaphores) {
    set = semget(IPC_PRIVATE, 2, 0600);
    change(0, 1);
    change(1, 1);
  }
  if (alone) takeBoth(0);
  pthread_create(&threads[0], NULL, alone ? nothing : forth, NULL);
  pthread_create(&threads[1], NULL, alone ? nothing : back, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  if (usesSemaphores) semctl(set, 0, IPC_RMID);
  return 0;
}
