#pragma once

namespace mcmini {

// Has the crash of a thread told to the checker. Signal handlers are the process's, the stack they run on is
// each thread's own.
void watchForCrashes();
void listenForProbes();
void useSignalStack(void* stack, unsigned long size);

}  // namespace mcmini
