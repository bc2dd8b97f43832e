#pragma once

/* A lock for readers, who share it, and writers, who have it alone. Nobody begins to read while a writer
   waits. All zeros is a free one. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int unused; /* its state is in the model */
} writers_first_t;

void writers_first_read(writers_first_t* lock);
void writers_first_write(writers_first_t* lock);
void writers_first_leave(writers_first_t* lock);

#ifdef __cplusplus
}
#endif
