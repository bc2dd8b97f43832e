// Two threads and some memory: each way either orders what they do to it, or does not.
#include <assert.h>
#include <mcmini/annotate.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATE static __attribute__((noinline))

typedef struct {
  long a;
  long b;
  long c;
} Triple;

// What the compiler knows all uses of, it may use in another way than it is written here.
int shared;
long many[16];
char letters[8];
Triple triple;
struct {
  unsigned low : 4;
  unsigned high : 4;
} bits;
int* block;
int ready;
__thread volatile int seen;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t items;

SEPARATE void* set(void* unused) {
  shared = 1;
  return unused;
}

SEPARATE void look(void) {
  seen = shared;
}

SEPARATE void setOnce(void) {
  shared = 1;
}

SEPARATE void* locked(void* unused) {
  pthread_mutex_lock(&m);
  shared++;
  pthread_mutex_unlock(&m);
  return unused;
}

SEPARATE void* lockedOtherwise(void* unused) {
  pthread_mutex_lock(&n);
  shared++;
  pthread_mutex_unlock(&n);
  return unused;
}

SEPARATE void* signals(void* unused) {
  shared = 1;
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  return unused;
}

SEPARATE void waitForSignal(void) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
}

SEPARATE void* posts(void* unused) {
  shared = 1;
  sem_post(&items);
  return unused;
}

SEPARATE void* postsEarly(void* unused) {
  sem_post(&items);
  shared = 1;
  return unused;
}

SEPARATE void* meets(void* unused) {
  shared = 1;
  pthread_barrier_wait(&barrier);
  return unused;
}

SEPARATE void* initializes(void* unused) {
  pthread_once(&once, setOnce);
  return unused;
}

SEPARATE void* setsLow(void* unused) {
  bits.low = 1;
  return unused;
}

SEPARATE void* setsLetter(void* unused) {
  letters[1] = 'b';
  return unused;
}

SEPARATE void* copiesTriple(void* unused) {
  Triple copy = triple;
  return copy.a + copy.b + copy.c == 0 ? unused : NULL;
}

SEPARATE void* copiesMany(void* into) {
  memcpy(into, many, sizeof many);
  return NULL;
}

SEPARATE void* readsBlock(void* unused) {
  return block[3] == 7 ? unused : NULL;
}

SEPARATE void* checksTwice(void* unused) {
  if (!ready) {
    pthread_mutex_lock(&m);
    if (!ready) {
      shared = 1;
      ready = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return unused;
}

SEPARATE void* sets(void* memory) {
  *(int*)memory = 1;
  return NULL;
}

SEPARATE void* reads(void* unused) {
  pthread_rwlock_rdlock(&lock);
  look();
  pthread_rwlock_unlock(&lock);
  return unused;
}

SEPARATE void* writesAsReader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  shared = 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

SEPARATE void* freesBlock(void* unused) {
  free(block);
  return unused;
}

SEPARATE void atTheEnd(void) {
  shared = 2;
}

SEPARATE void* adds(void* unused) {
  int before = shared;
  shared = before + 1;
  return unused;
}

SEPARATE void setAgain(void) {
  shared = 2;
}

static pthread_t start(void* (*routine)(void*), void* argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, routine, argument);
  return thread;
}

static void finish(pthread_t thread) {
  pthread_join(thread, NULL);
}

static int is(const char* way, const char* name) {
  return strcmp(way, name) == 0;
}

static void order(const char* way) {
  pthread_t thread;
  if (is(way, "plain")) {
    thread = start(set, NULL);
    setAgain();
  } else if (is(way, "read")) {
    thread = start(set, NULL);
    look();
  } else if (is(way, "both_read")) {
    shared = 3;
    thread = start(reads, NULL);
    look();
  } else if (is(way, "mutex")) {
    thread = start(locked, NULL);
    locked(NULL);
  } else if (is(way, "two_mutexes")) {
    thread = start(lockedOtherwise, NULL);
    locked(NULL);
  } else if (is(way, "half_locked")) {
    thread = start(locked, NULL);
    setAgain();
  } else if (is(way, "condition")) {
    thread = start(signals, NULL);
    waitForSignal();
    setAgain();
  } else if (is(way, "semaphore")) {
    thread = start(posts, NULL);
    sem_wait(&items);
    setAgain();
  } else if (is(way, "early_post")) {
    thread = start(postsEarly, NULL);
    sem_wait(&items);
    setAgain();
  } else if (is(way, "barrier")) {
    thread = start(meets, NULL);
    pthread_barrier_wait(&barrier);
    setAgain();
  } else if (is(way, "join")) {
    shared = 1;
    thread = start(set, NULL);
    finish(thread);
    setAgain();
    return;
  } else if (is(way, "once")) {
    thread = start(initializes, NULL);
    pthread_once(&once, setOnce);
    look();
  } else if (is(way, "reader_writes")) {
    thread = start(writesAsReader, NULL);
    reads(NULL);
  } else {
    printf("unknown way: %s\n", way);
    exit(2);
  }
  finish(thread);
}

static int isAboutMemory(const char* way) {
  pthread_t thread;
  if (is(way, "bits")) {
    thread = start(setsLow, NULL);
    bits.high = 2;
  } else if (is(way, "letters")) {
    thread = start(setsLetter, NULL);
    letters[0] = 'a';
  } else if (is(way, "struct")) {
    thread = start(copiesTriple, NULL);
    triple.b = 4;
  } else if (is(way, "memcpy")) {
    long copy[16];
    thread = start(copiesMany, copy);
    many[9] = 4;
    finish(thread);
    return 1;
  } else if (is(way, "copy_elsewhere")) {
    thread = start(copiesMany, malloc(sizeof many));
    letters[0] = 4;
  } else if (is(way, "use_after_free")) {
    block = calloc(8, sizeof *block);
    thread = start(readsBlock, NULL);
    free(block);
  } else if (is(way, "free_after_use")) {
    block = calloc(8, sizeof *block);
    thread = start(readsBlock, NULL);
    finish(thread);
    free(block);
    return 1;
  } else if (is(way, "reused_block")) {
    // The memory that the thread gave back is another object when main gets it again.
    block = calloc(8, sizeof *block);
    thread = start(freesBlock, NULL);
    int* other = calloc(8, sizeof *other);
    other[3] = 1;
    finish(thread);
    free(other);
    return 1;
  } else if (is(way, "benign")) {
    MC_BENIGN_RACE(shared);
    thread = start(set, NULL);
    look();
  } else if (is(way, "other_benign")) {
    MC_BENIGN_RACE(ready);
    thread = start(set, NULL);
    look();
  } else if (is(way, "double_checked")) {
    thread = start(checksTwice, NULL);
    checksTwice(NULL);
  } else if (is(way, "local")) {
    int local = 0;
    thread = start(sets, &local);
    local = 2;
    finish(thread);
    seen = local;
    return 1;
  } else if (is(way, "at_exit")) {
    atexit(atTheEnd);
    thread = start(set, NULL);
    pthread_detach(thread);
    return 1;
  } else if (is(way, "lost_update")) {
    thread = start(adds, NULL);
    adds(NULL);
    finish(thread);
    assert(shared == 2);
    return 1;
  } else {
    return 0;
  }
  finish(thread);
  return 1;
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "plain";
  sem_init(&items, 0, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  if (!isAboutMemory(way)) order(way);
  return 0;
}
