// A pool of threads: main hands out jobs, closes the pool and waits until all is done. A worker that finds no
// job sleeps until there is one, or until the pool is closed; none is lost, and nobody sleeps for ever.
//   mcmini thread_pool 2 1     (workers, jobs)
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int queued, closed, done;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (queued == 0 && !closed) pthread_cond_wait(&more, &lock);
    if (queued == 0) break;
    --queued;
    pthread_mutex_unlock(&lock);
    // Here the job is done.
    pthread_mutex_lock(&lock);
    ++done;
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

static void submit(void) {
  pthread_mutex_lock(&lock);
  ++queued;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
}

static void close_pool(void) {
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&lock);
}

int main(int argc, char** argv) {
  int workers = argc > 1 ? atoi(argv[1]) : 2;
  int jobs = argc > 2 ? atoi(argv[2]) : 1;
  if (workers < 1 || workers > kMost || jobs < 0) {
    fprintf(stderr, "usage: thread_pool [workers, 1..%d] [jobs]\n", kMost);
    return 2;
  }
  pthread_t worker[kMost];
  for (int i = 0; i < workers; ++i) pthread_create(&worker[i], NULL, work, NULL);
  for (int i = 0; i < jobs; ++i) submit();
  close_pool();
  for (int i = 0; i < workers; ++i) pthread_join(worker[i], NULL);
  assert(done == jobs && queued == 0);
  return 0;
}
