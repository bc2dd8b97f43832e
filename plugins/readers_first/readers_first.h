#pragma once

/* A lock for readers, who share it, and writers, who have it alone. Nobody begins to write while a reader
   waits. All zeros is a free one. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* its state is in the model */
} readers_first_t;

void readers_first_read(readers_first_t* lock);
void readers_first_write(readers_first_t* lock);
void readers_first_leave(readers_first_t* lock);

#ifdef __cplusplus
}
#endif
