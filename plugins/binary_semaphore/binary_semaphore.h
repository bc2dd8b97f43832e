#pragma once

/* Holds one token or none; to post one where there is one is an error. All zeros is one without. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* its state is in the model */
} binary_semaphore_t;

void binary_semaphore_post(binary_semaphore_t* semaphore);
void binary_semaphore_wait(binary_semaphore_t* semaphore);
int binary_semaphore_try(binary_semaphore_t* semaphore); /* 0, or EAGAIN */

#ifdef __cplusplus
}
#endif
