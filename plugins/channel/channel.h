#pragma once

/* Hands values on, in the order they were sent; holds `capacity` of them, and who sends one more waits. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* its state is in the model */
} channel_t;

void channel_init(channel_t* channel, unsigned capacity);
void channel_send(channel_t* channel, long value);
long channel_receive(channel_t* channel);

#ifdef __cplusplus
}
#endif
