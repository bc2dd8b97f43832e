// Three threads send a value each, main receives all of them, and each arrives once: 6 runs, 384 if built
// with -DON_COND, without the plugin. To receive one more than was sent (`2 3`) is a deadlock.
//   gcc -g -pthread channel.c -lchannel && mcmini --plugin channel ./a.out 3
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ON_COND
#include "channel_on_cond.h"
#else
#include <mcmini/channel.h>
#endif

static channel_t channel;

static void* sender(void* value) {
  channel_send(&channel, (long)value);
  return NULL;
}

int main(int argc, char** argv) {
  long senders = argc > 1 ? atoi(argv[1]) : 3;
  long expected = argc > 2 ? atoi(argv[2]) : senders; /* more than are sent: for ever */
  channel_init(&channel, 1);
  pthread_t threads[16];
  long sum = 0;
  for (long i = 0; i < senders; ++i) pthread_create(&threads[i], NULL, sender, (void*)(i + 1));
  for (long i = 0; i < expected; ++i) sum += channel_receive(&channel);
  for (long i = 0; i < senders; ++i) pthread_join(threads[i], NULL);
  assert(sum == senders * (senders + 1) / 2);
  return 0;
}
