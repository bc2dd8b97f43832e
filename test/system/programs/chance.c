// What threads do depends on random numbers, of all kinds.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kThreads = 2, kLocks = 16, kDraws = 4 };

static pthread_mutex_t own[kThreads][kLocks];
static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static unsigned (*draw)(void);

static unsigned draw_rand(void) {
  return (unsigned)rand();
}
static unsigned draw_random(void) {
  return (unsigned)random();
}
static unsigned draw_drand48(void) {
  return (unsigned)(drand48() * 1000);
}
static unsigned draw_lrand48(void) {
  return (unsigned)lrand48();
}
static unsigned draw_mrand48(void) {
  return (unsigned)mrand48();
}
static unsigned draw_getrandom(void) {
  unsigned number;
  assert(getrandom(&number, sizeof number, 0) == sizeof number);
  return number;
}
static unsigned draw_syscall(void) {
  unsigned number;
  assert(syscall(SYS_getrandom, &number, sizeof number, 0) == sizeof number);
  return number;
}
static unsigned draw_getentropy(void) {
  unsigned number;
  assert(getentropy(&number, sizeof number) == 0);
  return number;
}

static unsigned draw_pid(void) {
  assert(kill(getpid(), 0) == 0);
  return (unsigned)getpid() * 4 + (unsigned)time(NULL);
}

static const struct {
  const char* name;
  unsigned (*draw)(void);
} sources[] = {{"rand", draw_rand},       {"random", draw_random},         {"drand48", draw_drand48},
               {"lrand48", draw_lrand48}, {"mrand48", draw_mrand48},       {"getrandom", draw_getrandom},
               {"syscall", draw_syscall}, {"getentropy", draw_getentropy}, {"pid", draw_pid}};

// Draws which of its own locks to take, then takes the lock that all share.
static void* work(void* locks) {
  pthread_mutex_t* mine = locks;
  for (int i = 0; i < kDraws; ++i) {
    unsigned number = draw() / 4 % kLocks;
    pthread_mutex_lock(&mine[number]);
    pthread_mutex_unlock(&mine[number]);
  }
  pthread_mutex_lock(&common);
  pthread_mutex_unlock(&common);
  return NULL;
}

static void run(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, own[i]);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
}

// A single thread draws what it draws without the checker: these numbers are glibc's.
static void known_numbers(void) {
  assert(rand() == 1804289383 && random() == 846930886);
  srand(42);
  assert(rand() == 71876166 && rand() == 708592740);
  srandom(42);
  assert(random() == 71876166);
  char state[64];
  char* before = initstate(7, state, sizeof state);
  long first = random();
  assert(setstate(before) == state && random() == 708592740);
  initstate(7, state, sizeof state);
  assert(random() == first);
  assert(drand48() < 1e-9);
  srand48(42);
  assert(lrand48() == 1598855263);
  unsigned short seed[3] = {1, 2, 3};
  seed48(seed);
  long number = lrand48();
  seed48(seed);
  assert(lrand48() == number);
  char much[257];
  assert(getentropy(much, sizeof much) == -1 && errno == EIO);
}

static void* remember(void* number) {
  *(int*)number = rand();
  return NULL;
}

static int drawn_by_thread(unsigned seed) {
  int number = 0;
  pthread_t thread;
  srand(seed);
  pthread_create(&thread, NULL, remember, &number);
  pthread_join(thread, NULL);
  return number;
}

// A thread is seeded by its creator, and threads do not draw the same.
static void seeds(void) {
  int numbers[] = {drawn_by_thread(42), drawn_by_thread(42), drawn_by_thread(43)};
  srand(42);
  assert(numbers[0] != numbers[1] && numbers[1] != numbers[2] && numbers[0] != rand());
}

int main(int argc, char** argv) {
  (void)argc;
  for (int i = 0; i < kThreads * kLocks; ++i) own[i / kLocks][i % kLocks] = common;
  if (strcmp(argv[1], "known_numbers") == 0) known_numbers();
  if (strcmp(argv[1], "seeds") == 0) seeds();
  for (unsigned i = 0; i < sizeof sources / sizeof *sources; ++i)
    if (strcmp(argv[1], sources[i].name) == 0) draw = sources[i].draw;
  if (draw == NULL) return 0;
  srand((unsigned)time(NULL));
  srand48(time(NULL));
  run();
  return 0;
}
