// clang-format off
// Threads that want something to be done once.
//   same     n threads, one routine: the order in which they come, n! behaviours; it is done once, and nobody
//            goes on before it is done
//   lock     a routine locks a mutex that another caller has. The caller comes first and does it; or it comes
//            second, after the routine has had the mutex; or it has the mutex before, and waits for the routine,
//            which waits for the mutex: 3 behaviours, one of them the deadlock
//   itself   the routine wants itself to be done: it waits for itself, 1 behaviour, a deadlock
//   nested   the routine wants another one to be done: 2 threads, 2 behaviours
//   again    memory that is initialized anew is another one: 1
//   leaves   a routine that ends its thread was not done: the next caller does it. Two threads, who comes
//            first: 2
// clang-format on
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 6 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_once_t other = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, done_inside, left;

static void do_it(void) {
  ++done;
}
static void do_inside(void) {
  ++done_inside;
}

static void do_both(void) {
  pthread_once(&other, do_inside);
  ++done;
}

static void do_locked(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void do_itself(void) {
  pthread_once(&once, do_itself);
}

static void leave(void) {
  if (left++ == 0) pthread_exit(NULL);
}

static void* call(void* routine) {
  pthread_once(&once, (void (*)(void))routine);
  return NULL;
}

static void* call_and_look(void* unused) {
  pthread_once(&once, do_it);
  assert(done == 1);
  return unused;
}

static void* call_locked(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_once(&once, do_it);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void again(void) {
  pthread_once(&once, do_it);
  pthread_once(&once, do_it);
  assert(done == 1);
  pthread_once_t fresh = PTHREAD_ONCE_INIT;
  once = fresh;
  pthread_once(&once, do_it);
  pthread_once(&once, do_it);
  assert(done == 2);
}

static void run(void* (*routine)(void*), void* argument, int n) {
  pthread_t thread[kMost];
  for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, routine, argument);
  for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
}

static void lock(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, call, (void*)do_locked);
  pthread_create(&second, NULL, call_locked, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 2;
  if (n < 1 || n > kMost) return 2;
  if (strcmp(what, "same") == 0) run(call_and_look, NULL, n);
  if (strcmp(what, "lock") == 0) lock();
  if (strcmp(what, "itself") == 0) run(call, (void*)do_itself, 1);
  if (strcmp(what, "nested") == 0) {
    run(call, (void*)do_both, 2);
    assert(done == 1 && done_inside == 1);
  }
  if (strcmp(what, "again") == 0) again();
  if (strcmp(what, "leaves") == 0) {
    run(call, (void*)leave, 2);
    assert(left == 2);
  }
  return 0;
}
