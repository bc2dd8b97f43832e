#pragma once

// Exactly one thread of the target runs at a time: the gate passes the turn on.

#include "libmcmini/announce.h"

namespace mcmini {

// The thread does nothing any more.
[[noreturn]] inline void restForGood() {
  while (true) rawSyscall(SYS_pause);
}

// Null in a process that the checker does not watch: one that was started without it, or forked by the
// program.
extern wire::Channel* channel;

constexpr uint32_t kUncontrolled = ~0U;
extern __thread uint32_t self __attribute__((tls_model("initial-exec")));
// Up to where the thread's stack may be read; null if unknown.
extern __thread const char* stackTop __attribute__((tls_model("initial-exec")));

// Puts up the first operation of a thread that is about to be created.
void announceFor(uint32_t thread, const Announcement& announcement);

// That thread could not be created after all.
void withdraw(uint32_t thread);

// The first turn of such a thread, taken by itself.
void takeFirstTurn();

// The calling thread has taken its last operation: whoever is next may run. Does not return to a fiber.
void leave();

// The calling thread crashes. If it is to stop instead, it does so and does not return.
void stopIfLast();

// Copies the stack into the channel, from the caller's frame or from where a signal came.
void snapshot(const void* signalContext);

// From now on the channel is told where the blocks are allocated that the checker asks about.
void watchAllocations();

// The stack of the caller.
void copyStack(wire::WatchedAccess& into);

// Where main's stack begins that the kernel made; set once.
extern const char* mainStackTop;
bool isInMainStack(const void* address);

// The process is not the checker's any more.
void disconnect();

}  // namespace mcmini
