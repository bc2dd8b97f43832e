#pragma once

// Deferred cancellation: the model knows who shall end, and lets a thread that waits at a cancellation point
// go with ECANCELED; then the thread ends for real, which runs its cleanup handlers.

namespace mcmini {

// Has the calling thread switched cancellation off?
bool cancelDisabled();

// Will the calling thread end at its next cancellation point?
bool toBeCanceled();

// To be called when the model has answered ECANCELED. Does not return.
void endByCancel();

}  // namespace mcmini
