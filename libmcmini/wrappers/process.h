#pragma once

namespace mcmini {

// Called in each run's process before anything of the program: whatever ends it from now on is an operation.
void watchEndOfProcess();

// Stands in for the program's main, so that returning from it is an operation.
int (*watchedMain(int (*program)(int, char**, char**)))(int, char**, char**);

}  // namespace mcmini
