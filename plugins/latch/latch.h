#pragma once

/* Opens when it has been counted down to zero, and stays open: counting on makes no
   difference. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* its state is in the model */
} latch_t;

void latch_init(latch_t* latch, unsigned count);
void latch_count_down(latch_t* latch);
void latch_wait(latch_t* latch);

#ifdef __cplusplus
}
#endif
