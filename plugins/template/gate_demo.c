#include <pthread.h>
#include <stddef.h>

#include "gate.h"

static gate_t gate;

static void* visitor(void* unused) {
  gate_pass(&gate);
  return unused;
}

int main(int argc, char** argv) {
  (void)argv;
  pthread_t visitors[2];
  for (int i = 0; i < 2; ++i) pthread_create(&visitors[i], NULL, visitor, NULL);
  gate_open(&gate);
  if (argc > 1) gate_shut(&gate); /* with an argument: a bug, since a visitor may come too late */
  for (int i = 0; i < 2; ++i) pthread_join(visitors[i], NULL);
  return 0;
}
