#pragma once

// The time that the program sees. It does not pass by itself: an operation takes a microsecond, a sleep as
// long as it says, and nothing takes any real time. What a thread sees is a function of what it did and of
// what it learned from others, not of how their operations happened to be ordered with its own: the time is
// each thread's own, and is handed on like everything else that one thread knows from another, by creating
// it, by joining it, through a lock.

#include <errno.h>
#include <time.h>

#include "libmcmini/wire.h"

namespace mcmini {

// Which call it was, for the report.
enum class Sleep : uint64_t { Sleep, Usleep, Nanosleep, ClockNanosleep, Thrd };
enum class Yield : uint64_t { Sched, Pthread, Thrd, Annotation };

// What the calls are made of. The duration is valid.
void sleepFor(Sleep call, const timespec& duration, const void* site);
void yieldTo(Yield call, const void* site);

// Of a time until which to wait, which may be long ago.
constexpr bool isValid(const timespec& time) {
  return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000;
}

constexpr bool isValidDuration(const timespec& time) {
  return time.tv_sec >= 0 && isValid(time);
}

// The calling thread has waited in vain: so long, or until then.
void letPass(const timespec& duration);
void letPassUntil(clockid_t clock, const timespec& deadline);

// For the end of a call with a deadline, which may be null: a thread that has waited in vain is that late.
inline int timed(int64_t result, clockid_t clock, const timespec* deadline) {
  if (result == ETIMEDOUT && deadline != nullptr) letPassUntil(clock, *deadline);
  return static_cast<int>(result);
}

// The calling thread was given its turn for an operation, with this result.
void timePasses(const wire::Op& op, int64_t result);

}  // namespace mcmini
