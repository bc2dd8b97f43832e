// Ways to crash, in a thread or with a further argument in main. HERE marks the line that is to be shown.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero;
static volatile int after;  // written after a call, so that the compiler cannot make it a jump
static char* volatile nothing;
static void (*volatile nowhere)(void);

static void write_to_null(void) {
  *nothing = 'x';  // HERE write_to_null
}

static void call_abort(void) {
  abort();  // HERE call_abort
}

static void divide(void) {
  zero = 10 / zero;  // HERE divide
}

static void trap(void) {
  __asm__ volatile("int3");  // HERE trap
  after = 1;
}

static void call_null(void) {
  nowhere();  // HERE call_null
  after = 1;
}

static void free_twice(void) {
  char* volatile memory = malloc(20);
  free(memory);
  free(memory);  // HERE free_twice
  after = 1;
}

static void free_global(void) {
  static char global[64];
  char* volatile memory = global + 16;
  free(memory);  // HERE free_global
  after = 1;
}

static void strlen_of_null(void) {
  printf("%zu\n", strlen(nothing));  // HERE strlen_of_null
}

static void copy_to_null(void) {
  memset(nothing, 'x', 1 + (size_t)zero);  // HERE copy_to_null
  after = 1;
}

static void kill_oneself(void) {
  raise(SIGKILL);  // no handler sees it
}

__attribute__((noinline)) static int overflow(int depth) {
  volatile char page[4096];
  page[depth % 4096] = 1;
  if (depth < 0) return 0;
  return overflow(depth + 1) + page[0];  // HERE overflow
}

static void overflow_stack(void) {
  zero = overflow(0);
}

static const struct {
  const char* name;
  void (*crash)(void);
} kCrashes[] = {
    {"write_to_null", write_to_null},
    {"call_abort", call_abort},
    {"divide", divide},
    {"call_null", call_null},
    {"free_twice", free_twice},
    {"free_global", free_global},
    {"strlen_of_null", strlen_of_null},
    {"copy_to_null", copy_to_null},
    {"kill_oneself", kill_oneself},
    {"overflow_stack", overflow_stack},
    {"trap", trap},
};

static void* crash(void* name) {
  for (size_t i = 0; i < sizeof kCrashes / sizeof *kCrashes; ++i)
    if (strcmp(kCrashes[i].name, name) == 0) kCrashes[i].crash();
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 2) {  // in main
    crash(argv[1]);
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, NULL, crash, argv[1]);
  pthread_join(thread, NULL);
  return 0;
}
