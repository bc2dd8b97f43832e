#pragma once

namespace mcmini {

// Called in each run's process before anything of the program: whatever ends it from now on is an operation.
void watchEndOfProcess();

// Stands in for the program's main, so that returning from it is an operation.
int (*watchedMain(int (*program)(int, char**, char**)))(int, char**, char**);

// What exit and _exit do, called by the program at `site`.
[[noreturn]] void exitFrom(const void* site, int status);
[[noreturn]] void exitAtOnce(const void* site, int status);

}  // namespace mcmini
