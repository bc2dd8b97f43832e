#pragma once

#include <sys/types.h>

namespace mcmini {

// What the kernel calls the process that the program means.
pid_t meantProcess(pid_t number);

}  // namespace mcmini
