#pragma once

/* Happens once; who waits for it waits until it has. All zeros is one that has not happened. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* its state is in the model */
} event_t;

void event_set(event_t* event); /* again: no difference */
void event_wait(event_t* event);
int event_has_happened(event_t* event);

#ifdef __cplusplus
}
#endif
