// Operations of one class may share a database, those of two may not: the first takes it, the last gives it
// back. The first waits for it with the lock of the counters, which those who have it need in order to leave.
//   mcmini database [operations of each class]
#include <semaphore.h>

#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex counters;
static sem_t database;
static int running[2];

static void enter(int kind) {
  std::lock_guard<std::mutex> lock(counters);
  if (++running[kind] == 1) sem_wait(&database);
}

static void leave(int kind) {
  std::lock_guard<std::mutex> lock(counters);
  if (--running[kind] == 0) sem_post(&database);
}

static void operation(int kind) {
  enter(kind);
  leave(kind);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1;
  sem_init(&database, 0, 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i)
    for (int kind : {0, 1}) threads.emplace_back(operation, kind);
  for (std::thread& thread : threads) thread.join();
}
