#pragma once

#include <pthread.h>

#include "libmcmini/announce.h"

namespace mcmini {

// pthread_once, or a function that is the same under another name. What the routine does is its own, no part
// of the call.
int runOnce(pthread_once_t* control, void (*routine)(), const void* site, OpName call);

}  // namespace mcmini
