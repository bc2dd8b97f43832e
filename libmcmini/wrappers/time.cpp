#include "libmcmini/wrappers/time.h"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "libmcmini/announce.h"
#include "libmcmini/cancel.h"
#include "libmcmini/gate.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/semaphore.h"

MCMINI_WRAPS(sleep)
MCMINI_WRAPS(usleep)
MCMINI_WRAPS(nanosleep)
MCMINI_WRAPS(clock_nanosleep)
MCMINI_WRAPS(sched_yield)
MCMINI_WRAPS(time)
MCMINI_WRAPS(gettimeofday)
MCMINI_WRAPS(clock_gettime)
MCMINI_WRAPS(timespec_get)
MCMINI_WRAPS(clock)
MCMINI_WRAPS(times)

namespace mcmini {

namespace {

// Nanoseconds, up to what std::chrono can count.
constexpr uint64_t kMicrosecond = 1'000;
constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kForever = INT64_MAX;

constexpr uint64_t kDate = 1'767'225'600 * kSecond;  // when the program starts: 2026-01-01 00:00:00 UTC
constexpr uint64_t kUptime = 86'400 * kSecond;       // of the machine at that time
constexpr uint64_t kLeapSeconds = 37 * kSecond;

constexpr uint64_t kOperation = kMicrosecond;
constexpr uint64_t kTimeSlice = kMillisecond;
constexpr uint64_t kLongestReading = kMillisecond;

struct Elapsed {
  uint64_t now;      // since the program started
  uint64_t worked;   // of that, what the thread did not sleep
  uint64_t reading;  // how long the last reading of a clock took, since the last operation
  uint64_t away;     // how long others had the processor when the thread last let them
};
// Not in thread-local memory, of which a run would need a copy for each thread.
MCMINI_BY_THREAD Elapsed elapsed[wire::kMaxThreads];

Elapsed& mine() {
  return elapsed[self];
}

uint64_t later(uint64_t time, uint64_t by) {
  return by > kForever - time ? kForever : time + by;
}

void work(uint64_t duration) {
  mine().now = later(mine().now, duration);
  mine().worked = later(mine().worked, duration);
}

// A loop that waits for the clock comes to its end, and soon: each reading takes a little longer than the one
// before.
uint64_t timeAt(uint64_t epoch) {
  uint64_t& reading = mine().reading;
  if (reading < kLongestReading) reading += kMicrosecond;
  work(reading);
  return later(epoch, mine().now);
}

// CPU time is that of the thread itself, also where that of the process is asked for: what others used
// meanwhile depends on the schedule.
uint64_t cpuTime() {
  timeAt(0);
  return mine().worked;
}

struct Clock {
  clockid_t id;
  uint64_t epoch;
};
constexpr Clock kClocks[] = {
    {CLOCK_REALTIME, kDate},           {CLOCK_REALTIME_COARSE, kDate}, {CLOCK_REALTIME_ALARM, kDate},
    {CLOCK_TAI, kDate + kLeapSeconds}, {CLOCK_MONOTONIC, kUptime},     {CLOCK_MONOTONIC_RAW, kUptime},
    {CLOCK_MONOTONIC_COARSE, kUptime}, {CLOCK_BOOTTIME, kUptime},      {CLOCK_BOOTTIME_ALARM, kUptime}};

const Clock* findClock(clockid_t id) {
  for (const Clock& clock : kClocks)
    if (clock.id == id) return &clock;
  return nullptr;
}

// The negative ones are what pthread_getcpuclockid and clock_getcpuclockid make.
bool measuresCpu(clockid_t id) {
  return id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || id < 0;
}

uint64_t durationOf(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  auto seconds = static_cast<uint64_t>(time.tv_sec);
  return seconds >= kForever / kSecond ? kForever : seconds * kSecond + static_cast<uint64_t>(time.tv_nsec);
}

timespec asTimespec(uint64_t time) {
  return {static_cast<time_t>(time / kSecond), static_cast<long>(time % kSecond)};
}

uint64_t untilThen(uint64_t epoch, const timespec& deadline) {
  uint64_t then = durationOf(deadline);
  uint64_t here = later(epoch, mine().now);
  return then > here ? then - here : 0;
}

// How the time goes from one thread to another: whoever is given the turn for an operation of the second list
// is not earlier than those were who got it before for one of the first list on the same object. Operations
// whose order does not matter must not meet here, or the time would depend on it: that is why readers of a
// rwlock take no time over, nor threads that meet at a barrier, nor who needs no post to get a token.
enum Where : int { kResult = -2, kObject = -1, kFirstArgument = 0 };
struct Handover {
  OpName op;
  Where object = kObject;
  bool evenIfQueued = false;  // and so does who gets something else of it only later
};

constexpr Handover kGives[] = {
    {"thread.create", kResult},
    {"thread.exit"},
    {"mutex.unlock"},
    {"cond.enqueue", kFirstArgument},
    {"cond.signal"},
    {"cond.broadcast"},
    {"semaphore.post"},
    {"rwlock.unlock"},
    {"spin.unlock"},
    {"once.end"},
    {"futex.wake"},
    {"futex.requeue"},
};

constexpr Handover kTakes[] = {
    {"thread.start"},
    {"thread.join"},
    {"thread.tryjoin"},
    {"thread.timedjoin"},
    {"mutex.lock"},
    {"mutex.acquire"},
    {"mutex.trylock"},
    {"mutex.timedlock"},
    {"cond.wake", kObject, true},
    {"cond.wake", kFirstArgument},
    {"cond.timedwake", kObject, true},
    {"cond.timedwake", kFirstArgument},
    {"semaphore.wait"},
    {"semaphore.acquire"},
    {"semaphore.trywait"},
    {"semaphore.timedwait"},
    {"rwlock.wrlock"},
    {"rwlock.acquire_write"},
    {"rwlock.trywrlock"},
    {"rwlock.timedwrlock"},
    {"spin.lock"},
    {"spin.trylock"},
    {"once.begin"},
    {"futex.leave"},
};

struct Stamp {
  uint64_t key;
  uint64_t time;
};
constexpr uint64_t kFirstStamps = 32;
constexpr uint64_t kStamps = 4096;
constexpr uint64_t kTries = 64;
Stamp firstStamps[kFirstStamps];  // all that most programs need
MCMINI_LARGE Stamp stamps[kStamps];

// Neighbours in memory are neighbours here: fewer pages for the kernel to copy in each run. Null if the table
// is too full: time is not handed on through the object then.
Stamp* stampOf(uint64_t object) {
  uint64_t key = ~object;
  for (Stamp& stamp : firstStamps) {
    if (stamp.key == 0) stamp.key = key;
    if (stamp.key == key) return &stamp;
  }
  for (uint64_t i = 0; i < kTries; ++i) {
    Stamp& stamp = stamps[(object / sizeof(void*) + i) % kStamps];
    if (stamp.key == 0) stamp.key = key;
    if (stamp.key == key) return &stamp;
  }
  return nullptr;
}

uint64_t objectOf(const wire::Op& op, int64_t result, Where where) {
  if (where == kResult) return static_cast<uint64_t>(result);
  return where == kObject ? op.object : op.args[where];
}

void give(const wire::Op& op, int64_t result) {
  for (const Handover& handover : kGives) {
    if (handover.op.id != op.name) continue;
    Stamp* stamp = stampOf(objectOf(op, result, handover.object));
    if (stamp != nullptr && stamp->time < mine().now) stamp->time = mine().now;
  }
}

void take(const wire::Op& op, int64_t result) {
  static constexpr OpName kWait = "semaphore.wait";
  if ((result & kPlainResult) != 0) return;
  if (op.name == kWait.id && result == 0 && hasSettledToken(op.object)) return;
  for (const Handover& handover : kTakes) {
    if (handover.op.id != op.name || (result != 0 && !handover.evenIfQueued)) continue;
    Stamp* stamp = stampOf(objectOf(op, result, handover.object));
    if (stamp != nullptr && stamp->time > mine().now) mine().now = stamp->time;
  }
}

// The thread gets the processor back later each time, as on a busy machine: a loop that yields, or sleeps a
// little, until a certain time comes to its end.
void pauseFor(uint64_t duration) {
  mine().away += kTimeSlice;
  mine().now = later(later(mine().now, duration), mine().away);
}

int fail(int error) {
  errno = error;
  return -1;
}

}  // namespace

void sleepFor(Sleep call, const timespec& duration, const void* site) {
  static constexpr OpName kCalls[] = {"sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep"};
  testCancel(kCalls[static_cast<int>(call)], site);
  announce({.name = "time.sleep",
            .args = {static_cast<uint64_t>(call), static_cast<uint64_t>(duration.tv_sec),
                     static_cast<uint64_t>(duration.tv_nsec)},
            .site = site});
  pauseFor(durationOf(duration));
}

void yieldTo(Yield call, const void* site) {
  announce({.name = "time.yield", .args = {static_cast<uint64_t>(call)}, .site = site});
  pauseFor(0);
}

void letPass(const timespec& duration) {
  mine().now = later(mine().now, durationOf(duration));
}

void letPassUntil(clockid_t id, const timespec& deadline) {
  const Clock* clock = findClock(id);
  if (clock != nullptr) mine().now = later(mine().now, untilThen(clock->epoch, deadline));
}

void timePasses(const wire::Op& op, int64_t result) {
  take(op, result);
  work(kOperation);
  mine().reading = 0;
  give(op, result);
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT unsigned sleep(unsigned seconds) {
  if (!controlled()) return real::sleep(seconds);
  sleepFor(Sleep::Sleep, {static_cast<time_t>(seconds), 0}, __builtin_return_address(0));
  return 0;
}

MCMINI_EXPORT int usleep(useconds_t microseconds) {
  if (!controlled()) return real::usleep(microseconds);
  sleepFor(Sleep::Usleep, asTimespec(microseconds * kMicrosecond), __builtin_return_address(0));
  return 0;
}

MCMINI_EXPORT int nanosleep(const timespec* duration, timespec* remaining) {
  if (!controlled()) return real::nanosleep(duration, remaining);
  if (duration == nullptr) return fail(EFAULT);
  if (!isValidDuration(*duration)) return fail(EINVAL);
  sleepFor(Sleep::Nanosleep, *duration, __builtin_return_address(0));
  return 0;
}

MCMINI_EXPORT int clock_nanosleep(clockid_t id, int flags, const timespec* time, timespec* remaining) {
  if (!controlled()) return real::clock_nanosleep(id, flags, time, remaining);
  if (time == nullptr) return EFAULT;
  const Clock* clock = findClock(id);
  bool known = clock != nullptr || id == CLOCK_PROCESS_CPUTIME_ID;
  if (!known || !isValidDuration(*time)) return EINVAL;
  bool absolute = (flags & TIMER_ABSTIME) != 0;
  timespec duration = *time;
  if (absolute) duration = asTimespec(untilThen(clock != nullptr ? clock->epoch : 0, *time));
  sleepFor(Sleep::ClockNanosleep, duration, __builtin_return_address(0));
  return 0;
}

MCMINI_EXPORT int sched_yield() noexcept {
  if (!controlled()) return real::sched_yield();
  yieldTo(Yield::Sched, __builtin_return_address(0));
  return 0;
}

// A name for sched_yield in programs that were built long ago.
MCMINI_EXPORT int pthread_yield() noexcept {
  if (!controlled()) return real::sched_yield();
  yieldTo(Yield::Pthread, __builtin_return_address(0));
  return 0;
}

MCMINI_EXPORT time_t time(time_t* into) noexcept {
  if (!controlled()) return real::time(into);
  auto seconds = static_cast<time_t>(timeAt(kDate) / kSecond);
  if (into != nullptr) *into = seconds;
  return seconds;
}

MCMINI_EXPORT int gettimeofday(timeval* into, void* zone) noexcept {
  if (!controlled()) return real::gettimeofday(into, zone);
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  timespec time = asTimespec(timeAt(kDate));
  *into = {time.tv_sec, time.tv_nsec / static_cast<long>(kMicrosecond)};
  return 0;
}

MCMINI_EXPORT int clock_gettime(clockid_t id, timespec* into) noexcept {
  if (!controlled()) return real::clock_gettime(id, into);
  const Clock* clock = findClock(id);
  if (clock == nullptr && !measuresCpu(id)) return fail(EINVAL);
  *into = asTimespec(clock != nullptr ? timeAt(clock->epoch) : cpuTime());
  return 0;
}

MCMINI_EXPORT int timespec_get(timespec* into, int base) noexcept {
  if (!controlled() || base != TIME_UTC) return real::timespec_get(into, base);
  *into = asTimespec(timeAt(kDate));
  return base;
}

MCMINI_EXPORT clock_t clock() noexcept {
  if (!controlled()) return real::clock();
  return static_cast<clock_t>(cpuTime() / kMicrosecond);
}

MCMINI_EXPORT clock_t times(tms* into) noexcept {
  if (!controlled()) return real::times(into);
  constexpr uint64_t kTick = kSecond / 100;
  if (into != nullptr) *into = {static_cast<clock_t>(cpuTime() / kTick), 0, 0, 0};
  return static_cast<clock_t>(timeAt(kUptime) / kTick);
}
