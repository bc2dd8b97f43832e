#pragma once

#include <sys/types.h>

namespace mcmini {

// What the kernel calls the process that the program means.
pid_t meantProcess(pid_t number);

// The number of the calling thread; main's is that of the process.
pid_t shownTid();

// The process is not the run any more but was forked by it.
void leaveRun(pid_t run);

}  // namespace mcmini
