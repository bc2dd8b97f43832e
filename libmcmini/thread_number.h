#pragma once

#include <pthread.h>
#include <stdint.h>

namespace mcmini {

// The checker's number of a thread; kUncontrolled if it is none of the checker's.
uint32_t numberOf(pthread_t handle);

// The calling thread ends, without any destructors. Does not return to a fiber.
void endThread();

// Makes room for the stacks of so many threads, which are likely to be created.
void expectThreads(uint32_t count);

}  // namespace mcmini
