// Calls by which threads may wait for each other, and which nobody models: the order of the threads there is
// not considered, and the checker is told so.

#include <stdio.h>
#include <sys/file.h>
#include <sys/sem.h>
#include <unistd.h>

#include "libmcmini/gate.h"
#include "libmcmini/real.h"

namespace mcmini {

namespace {

// As long as there is one thread, nobody else's order matters.
void tellOfWait() {
  if (controlled() && channel->highest > 0) channel->notes.waitsUnmodelled = 1;
}

}  // namespace

}  // namespace mcmini

#define MCMINI_UNMODELLED(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  MCMINI_WRAPS(NAME)                                           \
  MCMINI_EXPORT RESULT NAME PARAMETERS {                       \
    mcmini::tellOfWait();                                      \
    return mcmini::real::NAME ARGUMENTS;                       \
  }

MCMINI_UNMODELLED(void, flockfile, (FILE * file), (file))
MCMINI_UNMODELLED(int, flock, (int file, int operation), (file, operation))
MCMINI_UNMODELLED(int, lockf, (int file, int operation, off_t size), (file, operation, size))
MCMINI_UNMODELLED(int, lockf64, (int file, int operation, off64_t size), (file, operation, size))
MCMINI_UNMODELLED(int, semop, (int set, sembuf* operations, size_t count), (set, operations, count))
MCMINI_UNMODELLED(int, semtimedop, (int set, sembuf* operations, size_t count, const timespec* timeout),
                  (set, operations, count, timeout))
