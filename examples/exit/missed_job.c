// A program that notices its own bug and ends with status 1: it counts on the job being filed before the
// worker looks for it, and creates both threads at once. mcmini takes a status other than zero for a bug.
//   mcmini missed_job
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs;
static int done;

static void* file_job(void* unused) {
  pthread_mutex_lock(&lock);
  ++jobs;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  done = jobs;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t clerk, worker;
  pthread_create(&clerk, NULL, file_job, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(clerk, NULL);
  pthread_join(worker, NULL);
  if (done == 1) return 0;
  printf("%d of 1 jobs done\n", done);
  return 1;
}
