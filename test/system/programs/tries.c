// A thread tries for a while to get what main gives, and then takes it for granted: tries WHAT
//   many       300 times
//   very_many  5,000 times
//   elsewhere  3 times, and then at another semaphore, by the same function, for as long as it takes
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t first, second;
static const char* what;

// In one place of the code, whatever the compiler makes of the loop.
#ifdef __clang__
#define ONE_PLACE __attribute__((noinline))
#else
#define ONE_PLACE __attribute__((noinline, noclone))
#endif
ONE_PLACE static int is_there(sem_t* token) {
  return sem_trywait(token) == 0;
}

ONE_PLACE static int comes(sem_t* token, int tries) {
  for (int i = 0; i < tries; ++i)
    if (is_there(token)) return 1;
  return 0;
}

static void* try(void* unused) {
  const int few = 3, many = 300, very_many = 5000, endless = 1 << 30;
  int elsewhere = strcmp(what, "elsewhere") == 0;
  assert(comes(&first, elsewhere ? few : strcmp(what, "many") == 0 ? many : very_many));
  while (elsewhere && !comes(&second, endless)) continue;
  return unused;
}

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "many";
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, try, NULL);
  sem_post(&first);
  sem_post(&second);
  pthread_join(thread, NULL);
  return 0;
}
