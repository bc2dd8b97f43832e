#pragma once

/* A lock for readers, who share it, and for writers of two kinds, who have it alone. Nobody is preferred. All
   zeros is a free one. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* its state is in the model */
} two_writers_t;

void two_writers_read(two_writers_t* lock);
void two_writers_write_first(two_writers_t* lock);
void two_writers_write_second(two_writers_t* lock);
void two_writers_leave(two_writers_t* lock);

#ifdef __cplusplus
}
#endif
