#pragma once

#include <pthread.h>
#include <stdint.h>

namespace mcmini {

// Of a thread that has joined the queue of a mutex: takes it in the model, when it is its turn.
int64_t awaitTurn(pthread_mutex_t* mutex, const void* site);

// Takes what the model has granted, without waiting; returns what the C library says.
int takeReally(pthread_mutex_t* mutex);

}  // namespace mcmini
