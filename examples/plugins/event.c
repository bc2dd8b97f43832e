// Guests wait for an event, and find what main prepared before: 1 run, since it does not matter who comes
// first; 96 if built with -DON_COND, without the plugin. If it never happens (`2 never`), that is a deadlock.
//   gcc -g -pthread event.c -levent && mcmini --plugin event ./a.out 3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ON_COND
#include "event_on_cond.h"
#else
#include <mcmini/event.h>
#endif

static event_t ready;
static int prepared;

static void* guest(void* unused) {
  event_wait(&ready);
  assert(prepared);
  return unused;
}

int main(int argc, char** argv) {
  int guests = argc > 1 ? atoi(argv[1]) : 3;
  pthread_t threads[16];
  for (int i = 0; i < guests; ++i) pthread_create(&threads[i], NULL, guest, NULL);
  prepared = 1;
  if (argc <= 2) event_set(&ready); /* with a second argument: it never happens */
  for (int i = 0; i < guests; ++i) pthread_join(threads[i], NULL);
  return 0;
}
