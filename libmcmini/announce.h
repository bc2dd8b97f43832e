#pragma once

// What a wrapper needs: say what the thread is about to do, wait for its turn, and get the model's answer.

#include <stdint.h>

#include "libmcmini/wire.h"

namespace mcmini {

// An operation's dotted name, hashed by the compiler.
struct OpName {
  const char* text;
  uint64_t id;
  consteval OpName(const char* name) : OpName(name, wire::hashName(name)) {}
  // One that is not known before it is announced.
  static OpName of(const char* name) { return {name, wire::hashName(name)}; }

 private:
  constexpr OpName(const char* name, uint64_t hash) : text(name), id(hash) {}
};

struct Announcement {
  OpName name;
  OpName call = "";  // the function, where the operation belongs to more than one: "mtx_lock"
  uint64_t object = 0;
  uint64_t args[3] = {};
  const void* site = nullptr;  // where the program called: __builtin_return_address(0) of the wrapper
  // As things are now, it does not wait, and it returns 0: the thread need not stop for it. The wrapper can
  // tell from the real object, since whatever the model granted was done to it.
  bool doesNotWait = false;
  int64_t result = 0;    // or what else it then returns
  uint64_t initial = 0;  // as in VisibleOp
  uint32_t epoch = 0;
  // It takes what others may have queued up for: what is free may not be for this thread.
  bool takes = false;
  bool goesOn = false;  // with what the thread's last one has begun: no handler of a signal runs in between
  const void* signalContext = nullptr;  // of the signal that interrupts the thread, if it does not call
};

// Marks in the result of a wait, as in core/model/wakeup_policy.hpp: the thread has to announce that it takes
// its turn; nobody has woken it. The rest is the result.
constexpr int64_t kQueued = 0x10000;
constexpr int64_t kSpurious = 0x20000;
constexpr int64_t kPlainResult = 0xffff;

// Is the calling thread one that the checker moves? If not, a wrapper calls the real function.
bool controlled();

// The same for an operation on an object; those of the runtime libraries' own are left to them,
// unless a wrapper calls the library for the program.
bool controlled(const volatile void* object);

// Stops until the checker lets the thread take the operation; returns the model's result.
int64_t announce(const Announcement& announcement);

// The model granted what the real operation refused. Does not return.
[[noreturn]] void disagree(const char* call, int result);

// More than the checker can take. Does not return.
[[noreturn]] void overLimit(const char* what, uint32_t most);

inline uint64_t asObject(const volatile void* address) {
  return reinterpret_cast<uint64_t>(address);
}

}  // namespace mcmini
