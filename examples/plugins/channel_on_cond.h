/* The same channel, built on a mutex and condition variables. */

#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t sent, received;
  unsigned capacity, first, size;
  long values[16];
} channel_t;

static void channel_init(channel_t* channel, unsigned capacity) {
  channel->capacity = capacity;
}

static void channel_send(channel_t* channel, long value) {
  pthread_mutex_lock(&channel->mutex);
  while (channel->size == channel->capacity) pthread_cond_wait(&channel->received, &channel->mutex);
  channel->values[(channel->first + channel->size++) % 16] = value;
  pthread_cond_signal(&channel->sent);
  pthread_mutex_unlock(&channel->mutex);
}

static long channel_receive(channel_t* channel) {
  pthread_mutex_lock(&channel->mutex);
  while (channel->size == 0) pthread_cond_wait(&channel->sent, &channel->mutex);
  long value = channel->values[channel->first++ % 16];
  --channel->size;
  pthread_cond_signal(&channel->received);
  pthread_mutex_unlock(&channel->mutex);
  return value;
}
