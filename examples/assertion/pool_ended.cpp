// A pool is ended while workers run: main throws the jobs away without waiting for who has just seen one.
// The flags are plain memory; the annotations make accesses to them steps that others can come between.
//   mcmini pool_ended 2     (workers)
#include <mcmini/annotate.h>

#include <cstdlib>
#include <thread>
#include <vector>

struct Pool {
  bool running = true;
  bool has_jobs = true;  // until they are thrown away
};

static Pool pool;

static bool goes_on() {
  MC_READ(pool.running);
  return pool.running;
}

static void work() {
  if (!goes_on()) return;
  MC_READ(pool.has_jobs);
  mc_assert(pool.has_jobs);
}

static void end_pool() {
  MC_WRITE(pool.running);
  pool.running = false;
  MC_WRITE(pool.has_jobs);
  pool.has_jobs = false;
}

int main(int argc, char** argv) {
  int count = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> workers;
  for (int i = 0; i < count; ++i) workers.emplace_back(work);
  end_pool();
  for (std::thread& worker : workers) worker.join();
}
