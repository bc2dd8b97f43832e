// What threads have to themselves, how they come and go, and what can happen to them.
//   own          each has its errno, its thread-local variables and its rounding of numbers
//   inherited    each rounds numbers as main did when it was created, and knows the exceptions that main had
//   x87          exceptions of one are not those of the other one
//   keys         there are more of them than in most programs, and destructors that come back
//   values       each returns another value, one of them after it has made a key with a destructor
//   locale       each begins with the locale of the process
//   numbers      each has a number in the system, and a clock
//   unmade       one cannot be created
//   again        two use the same stack, one after the other
//   gone         one leaves without a word to the C library
//   at_fork      one forks, and has handlers for that
//   stacks       one runs on a stack of main's, one on a stack of unusual size, one is detached
//   many         more than are ready before they are created
//   last_leaves  main leaves first; what is registered for the end of the process runs after the last thread
//   main_leaves  the same where main has created a thread that has ended, or none
//   overflow     one calls itself until its stack is full
//   crashes      two that crash, one after the other
//   relay        each waits in a loop until the one that was created after it has written to memory
//   pipe         one waits for a pipe that the other one writes to
//   forks        one forks a process, which has a thread of its own
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <mcmini/annotate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xmmintrin.h>

enum { kMany = 70, kRunners = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[kMany];
static __thread int mine = 1;
static atomic_int stage;
static int channel[2];

static void* nothing(void* unused) {
  return unused;
}

static void* take(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void start(int count, void* (*routine)(void*)) {
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, routine, (void*)(size_t)i);
}

static void join(int count) {
  for (int i = 0; i < count; ++i) assert(pthread_join(threads[i], NULL) == 0);
}

static void* crash(void* argument) {
  take(NULL);
  *(volatile int*)((size_t)argument * 8) = 1;
  return argument;
}

static void* keep_own(void* argument) {
  int number = (int)(size_t)argument;
  assert(mine == 1);
  errno = mine = number + 5;
  _MM_SET_ROUNDING_MODE(number == 0 ? _MM_ROUND_UP : _MM_ROUND_DOWN);
  take(NULL);
  assert(errno == number + 5 && mine == number + 5);
  assert(_MM_GET_ROUNDING_MODE() == (number == 0 ? _MM_ROUND_UP : _MM_ROUND_DOWN));
  return argument;
}

static void* have_inherited(void* argument) {
  assert(_MM_GET_ROUNDING_MODE() == _MM_ROUND_UP);
  assert((_MM_GET_EXCEPTION_STATE() & _MM_EXCEPT_INEXACT) != 0);
  return take(argument);
}

static void inherited(void) {
  volatile float three = 3;
  three = 1 / three;
  _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
  start(2, have_inherited);
}

static int x87_exceptions(void) {
  unsigned short status;
  __asm__ volatile("fnstsw %0" : "=a"(status));
  return status & 4;
}

static void* divide_by_zero(void* argument) {
  volatile long double zero = 0;
  volatile long double result = 0;
  if (argument == NULL) result = 1 / zero;
  take(NULL);
  assert((x87_exceptions() != 0) == (argument == NULL));
  return result > 0 ? argument : NULL;
}

enum { kKeys = 40, kRounds = 4 };
static pthread_key_t key[kKeys];
static int destroyed;

static void destroy(void* value) {
  pthread_setspecific(key[kKeys - 1], value);
  pthread_mutex_lock(&lock);
  ++destroyed;
  pthread_mutex_unlock(&lock);
}

static void* use_last_key(void* unused) {
  pthread_setspecific(key[kKeys - 1], &lock);
  return unused;
}

static void keys(void) {
  for (int i = 0; i < kKeys; ++i) pthread_key_create(&key[i], destroy);
  start(1, use_last_key);
  join(1);
  assert(destroyed == kRounds);
}

static void* make_key_or_not(void* argument) {
  take(argument);
  if (argument == NULL) {
    pthread_key_create(&key[kKeys - 1], destroy);
    pthread_setspecific(key[kKeys - 1], &lock);
  }
  return &threads[(size_t)argument];
}

static void values(void) {
  start(2, make_key_or_not);
  for (int i = 0; i < 2; ++i) {
    void* value = NULL;
    assert(pthread_join(threads[i], &value) == 0 && value == &threads[i]);
  }
  assert(destroyed == kRounds);
}

static const unsigned short* kinds_of_letters;

static void* look_up_kinds(void* unused) {
  assert(*__ctype_b_loc() == kinds_of_letters);
  return take(unused);
}

static long number[2];

static void* look_up_number(void* argument) {
  clockid_t clock;
  struct timespec time;
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0 && clock_gettime(clock, &time) == 0);
  number[(size_t)argument] = syscall(SYS_gettid);
  return argument;
}

static void unmade(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)1 << 40);
  start(1, take);
  assert(pthread_create(&threads[1], &attributes, crash, NULL) != 0);
  take(NULL);
  join(1);
}

static void again(void) {
  static _Alignas(16) char stack[1 << 17];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, sizeof stack);
  for (int i = 0; i < 2; ++i) {
    assert(pthread_create(&threads[0], &attributes, nothing, NULL) == 0);
    join(1);
  }
}

static void* go(void* unused) {
  take(NULL);
  syscall(SYS_exit, 0);
  return unused;
}

static void lock_all(void) {
  pthread_mutex_lock(&lock);
}
static void unlock_all(void) {
  pthread_mutex_unlock(&lock);
}

static void stacks(void) {
  static _Alignas(16) char stack[1 << 17];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
  assert(pthread_create(&threads[0], &attributes, take, NULL) == 0);
  pthread_attr_destroy(&attributes);
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, 1 << 16) == 0);
  assert(pthread_create(&threads[1], &attributes, take, NULL) == 0);
  pthread_attr_destroy(&attributes);
  pthread_attr_init(&attributes);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_create(&threads[2], &attributes, nothing, NULL) == 0);
  pthread_attr_destroy(&attributes);
  join(2);
}

static void tell(void) {
  _exit(7);
}

static void main_leaves(void) {
  atexit(tell);
  if (mc_choose(2) == 0) {
    start(1, nothing);
    join(1);
  }
  pthread_exit(NULL);
}

static volatile int enough;

static int deeper(int depth) {
  volatile char room[256];
  room[depth % 256] = (char)depth;
  return enough ? depth : deeper(depth + 1) + room[depth % 256];
}

static void* overflow(void* unused) {
  take(NULL);
  return deeper(0) == 1 ? &lock : unused;
}

static void* relay(void* argument) {
  int turn = kRunners - 1 - (int)(size_t)argument;
  while (stage != turn) {
  }
  ++stage;
  return argument;
}

static void* receive_or_send(void* argument) {
  char byte = 'a';
  if (argument == NULL)
    assert(read(channel[0], &byte, 1) == 1);
  else
    assert(write(channel[1], &byte, 1) == 1);
  return take(argument);
}

static void* divide(void* unused) {
  pid_t child = fork();
  if (child == 0) {
    pthread_t grandchild;
    int failed = pthread_create(&grandchild, NULL, take, NULL) || pthread_join(grandchild, NULL);
    _exit(failed ? 1 : 0);
  }
  int status = 1;
  assert(waitpid(child, &status, 0) == child && status == 0);
  return take(unused);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  int count = 2;
  if (strcmp(what, "own") == 0) start(2, keep_own);
  if (strcmp(what, "inherited") == 0) inherited();
  if (strcmp(what, "x87") == 0) start(2, divide_by_zero);
  if (strcmp(what, "keys") == 0) return keys(), 0;
  if (strcmp(what, "values") == 0) return values(), 0;
  if (strcmp(what, "locale") == 0) {
    if (setlocale(LC_ALL, "C.UTF-8") == NULL) return 1;
    kinds_of_letters = *__ctype_b_loc();
    start(2, look_up_kinds);
  }
  if (strcmp(what, "numbers") == 0) {
    start(2, look_up_number);
    join(2);
    return number[0] == number[1];
  }
  if (strcmp(what, "unmade") == 0) return unmade(), 0;
  if (strcmp(what, "again") == 0) return again(), 0;
  if (strcmp(what, "gone") == 0) start(2, go);
  if (strcmp(what, "at_fork") == 0) {
    pthread_atfork(lock_all, unlock_all, unlock_all);
    start(2, divide);
  }
  if (strcmp(what, "stacks") == 0) return stacks(), 0;
  if (strcmp(what, "many") == 0) start(count = kMany, nothing);
  if (strcmp(what, "last_leaves") == 0) {
    atexit(tell);
    start(2, take);
    pthread_exit(NULL);
  }
  if (strcmp(what, "main_leaves") == 0) main_leaves();
  if (strcmp(what, "overflow") == 0) start(2, overflow);
  if (strcmp(what, "crashes") == 0) start(2, crash);
  if (strcmp(what, "relay") == 0) start(count = kRunners, relay);
  if (strcmp(what, "pipe") == 0) {
    assert(pipe(channel) == 0);
    start(2, receive_or_send);
  }
  if (strcmp(what, "forks") == 0) start(2, divide);
  join(count);
  return 0;
}
