// Threads: how they are made, end and are waited for.
//   results    what they return, and what they say by pthread_exit
//   identity   they know who they are
//   alone      main detaches itself, before there is another thread
//   cancelled  main cancels itself, the same
//   made       with attributes: a stack of a certain size, detached
//   guarded    they have as much below their stacks as they were promised
//   impossible one that cannot be created, between two others
//   crowd      as many as there is room for
//   large      with stacks of hundreds of megabytes, by attributes and by default
//   try        main tries to join; later it does
//   timed      main waits until a certain time; later it joins
//   clock      the same by another clock
//   no_limit   the same without a time limit
//   detached   one is detached while it runs
//   keys       destructors of two threads take a lock
//   cut_off    main returns without waiting
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int destroyed;
static pthread_t thread;

static void* nothing(void* argument) {
  return argument;
}

static void* leave(void* argument) {
  pthread_exit(argument);
}

static void* who_am_i(void* unused) {
  char name[16];
  assert(pthread_equal(pthread_self(), pthread_self()));
  assert(pthread_setname_np(pthread_self(), "worker") == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(strcmp(name, "worker") == 0);
  return unused;
}

static void* take(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* use_key(void* unused) {
  pthread_setspecific(key, &key);
  return unused;
}

static void destroy(void* value) {
  assert(value == &key);
  pthread_mutex_lock(&lock);
  ++destroyed;
  pthread_mutex_unlock(&lock);
}

static void results(void) {
  pthread_t other;
  void* result;
  pthread_create(&thread, NULL, nothing, &lock);
  pthread_create(&other, NULL, leave, &key);
  assert(!pthread_equal(thread, other));
  assert(pthread_join(thread, &result) == 0 && result == &lock);
  assert(pthread_join(other, &result) == 0 && result == &key);
}

static void* look_below(void* promised) {
  pthread_attr_t attributes;
  size_t size;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getguardsize(&attributes, &size) == 0);
  pthread_attr_destroy(&attributes);
  assert(size == *(size_t*)promised);
  return NULL;
}

static void make_guarded(const pthread_attr_t* attributes, size_t promised) {
  pthread_create(&thread, attributes, look_below, &promised);
  pthread_join(thread, NULL);
}

static void guarded(void) {
  pthread_attr_t attributes;
  make_guarded(NULL, 4096);
  pthread_attr_init(&attributes);
  make_guarded(&attributes, 4096);
  pthread_attr_setguardsize(&attributes, 0);
  make_guarded(&attributes, 0);
  pthread_attr_setguardsize(&attributes, 10000);
  make_guarded(&attributes, 12288);
  assert(pthread_setattr_default_np(&attributes) == 0);
  make_guarded(NULL, 12288);
  const size_t size = 1 << 16;
  void* own = aligned_alloc(4096, size);
  pthread_attr_setstack(&attributes, own, size);
  make_guarded(&attributes, 0);
  free(own);
}

static void made(void) {
  pthread_attr_t attributes;
  pthread_t other;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, 1 << 16) == 0);
  pthread_create(&thread, &attributes, nothing, NULL);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  pthread_create(&other, &attributes, nothing, NULL);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, NULL);
}

static void impossible(void) {
  pthread_attr_t attributes;
  pthread_t others[2];
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, (size_t)1 << 46) == 0);
  assert(pthread_create(&thread, &attributes, nothing, NULL) == EAGAIN);
  pthread_create(&others[0], NULL, take, NULL);
  assert(pthread_create(&thread, &attributes, nothing, NULL) == EAGAIN);
  pthread_create(&others[1], NULL, take, NULL);
  pthread_join(others[0], NULL);
  pthread_join(others[1], NULL);
  pthread_exit(NULL);
}

static void crowd(void) {
  struct rlimit limit = {400U << 20, 400U << 20};
  pthread_t threads[100];
  int count = 0;
  setrlimit(RLIMIT_AS, &limit);
  while (count < 100 && pthread_create(&threads[count], NULL, count < 2 ? take : nothing, NULL) == 0) ++count;
  assert(count < 100);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void large(void) {
  pthread_attr_t attributes;
  pthread_t other;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, (size_t)512 << 20) == 0);
  assert(pthread_create(&thread, &attributes, take, NULL) == 0);
  assert(pthread_attr_setstacksize(&attributes, (size_t)300 << 20) == 0);
  assert(pthread_setattr_default_np(&attributes) == 0);
  assert(pthread_create(&other, NULL, take, NULL) == 0);
  pthread_join(thread, NULL);
  pthread_join(other, NULL);
}

static void try(void) {
  pthread_create(&thread, NULL, nothing, NULL);
  int result = pthread_tryjoin_np(thread, NULL);
  assert(result == 0 || result == EBUSY);
  if (result != 0) assert(pthread_join(thread, NULL) == 0);
}

static void join_by(clockid_t clock, int named) {
  struct timespec limit;
  struct timespec now;
  clock_gettime(clock, &limit);
  limit.tv_sec += 60;
  pthread_create(&thread, NULL, nothing, NULL);
  int result =
      named ? pthread_clockjoin_np(thread, NULL, clock, &limit) : pthread_timedjoin_np(thread, NULL, &limit);
  clock_gettime(clock, &now);
  assert(result == 0 || (result == ETIMEDOUT && now.tv_sec >= limit.tv_sec));
  if (result != 0) assert(pthread_join(thread, NULL) == 0);
}

static void keys(void) {
  pthread_t other;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, NULL, use_key, NULL);
  pthread_create(&other, NULL, use_key, NULL);
  pthread_join(thread, NULL);
  pthread_join(other, NULL);
  assert(destroyed == 2);
  pthread_key_delete(key);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "results") == 0) results();
  if (strcmp(what, "identity") == 0) {
    pthread_create(&thread, NULL, who_am_i, NULL);
    pthread_join(thread, NULL);
  }
  if (strcmp(what, "alone") == 0) assert(pthread_detach(pthread_self()) == 0);
  if (strcmp(what, "cancelled") == 0) {
    assert(pthread_cancel(pthread_self()) == 0);
    pthread_testcancel();
    abort();
  }
  if (strcmp(what, "made") == 0) made();
  if (strcmp(what, "guarded") == 0) guarded();
  if (strcmp(what, "impossible") == 0) impossible();
  if (strcmp(what, "crowd") == 0) crowd();
  if (strcmp(what, "large") == 0) large();
  if (strcmp(what, "try") == 0) try();
  if (strcmp(what, "timed") == 0) join_by(CLOCK_REALTIME, 0);
  if (strcmp(what, "clock") == 0) join_by(CLOCK_MONOTONIC, 1);
  if (strcmp(what, "no_limit") == 0) {
    pthread_create(&thread, NULL, nothing, NULL);
    assert(pthread_timedjoin_np(thread, NULL, NULL) == 0);
  }
  if (strcmp(what, "detached") == 0) {
    pthread_create(&thread, NULL, take, NULL);
    assert(pthread_detach(thread) == 0);
  }
  if (strcmp(what, "keys") == 0) keys();
  if (strcmp(what, "cut_off") == 0) pthread_create(&thread, NULL, take, NULL);
  return 0;
}
