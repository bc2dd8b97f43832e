#include "libmcmini/wrappers/semaphore.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#include "libmcmini/announce.h"
#include "libmcmini/cancel.h"
#include "libmcmini/gate.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/early.h"
#include "libmcmini/wrappers/time.h"

MCMINI_WRAPS(sem_init)
MCMINI_WRAPS(sem_destroy)
MCMINI_WRAPS(sem_open)
MCMINI_WRAPS(sem_close)
MCMINI_WRAPS(sem_unlink)
MCMINI_WRAPS(sem_wait)
MCMINI_WRAPS(sem_timedwait)
MCMINI_WRAPS(sem_clockwait)
MCMINI_WRAPS(sem_trywait)
MCMINI_WRAPS(sem_post)
MCMINI_WRAPS(sem_getvalue)

namespace mcmini {

namespace {

MCMINI_LARGE EarlyObjects early;

int fail(int error) {
  errno = error;
  return -1;
}

int outcome(int64_t granted) {
  return granted == 0 ? 0 : fail(static_cast<int>(granted));
}

int valueOf(sem_t* semaphore) {
  int value = 0;
  real::sem_getvalue(semaphore, &value);
  return value;
}

// As the model counts them, in a part of the semaphore that the C library makes no use of.
uint32_t& settledOf(sem_t* semaphore) {
  constexpr size_t kUsed = 16;
  static_assert(sizeof *semaphore >= kUsed + sizeof(uint32_t));
  return *reinterpret_cast<uint32_t*>(semaphore->__size + kUsed);
}

int initialize(sem_t* semaphore, int shared, unsigned value) {
  settledOf(semaphore) = value;
  return real::sem_init(semaphore, shared, value);
}

// What a library does to its semaphore before the checker takes over.
int noted(sem_t* semaphore, int result) {
  auto value = static_cast<uint32_t>(valueOf(semaphore));
  if (early.find(semaphore) != 0) early.note(semaphore, value);
  settledOf(semaphore) = value;
  return result;
}

int64_t announceOn(sem_t* semaphore, OpName name, uint64_t argument, const void* site, bool doesNotWait) {
  return announce({.name = name,
                   .object = asObject(semaphore),
                   .args = {early.find(semaphore), argument},
                   .site = site,
                   .doesNotWait = doesNotWait});
}

void takeReally(sem_t* semaphore, OpName op) {
  static constexpr OpName kWait = "semaphore.wait";
  if (real::sem_trywait(semaphore) != 0) disagree("sem_trywait", errno);
  if (op.id == kWait.id && settledOf(semaphore) > 0)
    --settledOf(semaphore);
  else
    settledOf(semaphore) = static_cast<uint32_t>(valueOf(semaphore));
}

int take(sem_t* semaphore, Announcement attempt) {
  int64_t granted = announce(attempt);
  if (granted == kQueued) {
    attempt.name = "semaphore.acquire";
    attempt.doesNotWait = false;
    granted = announce(attempt);
  }
  if (granted == ECANCELED) endByCancel();
  if (granted == 0) takeReally(semaphore, attempt.name);
  return outcome(granted);
}

// A wait is a cancellation point, even if there is something to take.
uint64_t cancelBits() {
  return (cancelDisabled() ? 1U : 0U) | (channel->settings.cancels == 0 ? 2U : 0U);
}

int wait(sem_t* semaphore, OpName name, OpName call, bool invalid, const void* site) {
  return take(semaphore, {.name = name,
                          .call = call,
                          .object = asObject(semaphore),
                          .args = {early.find(semaphore), invalid ? 1U : 0U, cancelBits()},
                          .site = site,
                          .doesNotWait = valueOf(semaphore) > 0 && !toBeCanceled(),
                          .takes = true});
}

int timedWait(sem_t* semaphore, OpName call, clockid_t clock, const timespec* deadline, const void* site) {
  int result = wait(semaphore, "semaphore.timedwait", call, !isValid(*deadline), site);
  if (result != 0) timed(errno, clock, deadline);
  return result;
}

// Named semaphores. Names mean nothing outside of the run: what is left behind by others is not seen, and
// nothing is left behind. The layout is known to the model.
struct Name {
  static constexpr uint32_t kPlaces = 7;
  char text[256];
  sem_t semaphores[kPlaces];  // all that had the name, one after the other
  uint32_t made;
  uint32_t opened[kPlaces];
};

constexpr uint32_t kNames = 1024;
MCMINI_LARGE Name names[kNames];

// Where a name is depends on nothing but the name, as far as possible: not on who was first.
Name* nameOf(const char* text) {
  uint64_t start = wire::hashName(text);
  for (uint32_t i = 0; i < kNames; ++i) {
    Name& name = names[(start + i) % kNames];
    if (name.text[0] == 0) memcpy(name.text, text, strlen(text) + 1);
    if (strcmp(name.text, text) == 0) return &name;
  }
  return nullptr;
}

// As glibc understands it: slashes in front do not count, and there may be no other.
int checkName(const char*& text) {
  while (*text == '/') ++text;
  if (strchr(text, '/') != nullptr) return EINVAL;
  size_t length = strlen(text);
  return length == 0 || length >= sizeof Name::text - 4 ? EINVAL : 0;
}

Announcement about(const Name& name, OpName op, uint64_t how, const void* site) {
  Announcement announcement = {.name = op, .object = asObject(&name), .args = {how}, .site = site};
  char shown[2 * sizeof(uint64_t)] = "/";
  memcpy(shown + 1, name.text, strnlen(name.text, sizeof shown - 1));
  memcpy(&announcement.args[1], shown, sizeof shown);
  return announcement;
}

sem_t* noSemaphore(int error) {
  errno = error;
  return SEM_FAILED;
}

sem_t* openName(const char* text, int flags, unsigned value, const void* site) {
  bool creates = (flags & O_CREAT) != 0;
  int error = checkName(text);
  if (error == 0 && creates && value > SEM_VALUE_MAX) error = EINVAL;
  Name* name = error == 0 ? nameOf(text) : nullptr;
  if (name == nullptr) return noSemaphore(error != 0 ? error : EMFILE);
  bool exclusive = creates && (flags & O_EXCL) != 0;
  uint64_t how = creates ? value | uint64_t{1} << 32 : 0;
  int64_t place = announce(about(*name, "semaphore.open", how | (exclusive ? uint64_t{1} << 33 : 0), site));
  if (place < 0) return noSemaphore(static_cast<int>(-place));
  if (name->made == place) initialize(&name->semaphores[name->made++], 0, value);
  ++name->opened[place];
  return &name->semaphores[place];
}

int closeNamed(sem_t* semaphore) {
  for (Name& name : names)
    for (uint32_t i = 0; i < name.made; ++i)
      if (&name.semaphores[i] == semaphore && name.opened[i] > 0) {
        --name.opened[i];
        return 0;
      }
  return fail(EINVAL);
}

int unlinkName(const char* text, const void* site) {
  if (checkName(text) != 0) return fail(ENOENT);
  Name* name = nameOf(text);
  return name == nullptr ? fail(ENOENT) : outcome(announce(about(*name, "semaphore.unlink", 0, site)));
}

}  // namespace

bool hasSettledToken(uint64_t semaphore) {
  return settledOf(reinterpret_cast<sem_t*>(semaphore)) > 0;
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (controlled() && value <= SEM_VALUE_MAX)
    announceOn(semaphore, "semaphore.init", value, __builtin_return_address(0), true);
  else if (value <= SEM_VALUE_MAX)
    early.note(semaphore, value);
  return initialize(semaphore, shared, value);
}

MCMINI_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  if (controlled()) announceOn(semaphore, "semaphore.destroy", 0, __builtin_return_address(0), true);
  return real::sem_destroy(semaphore);
}

MCMINI_EXPORT sem_t* sem_open(const char* name, int flags, ...) noexcept {
  mode_t mode = 0;
  unsigned value = 0;
  if ((flags & O_CREAT) != 0) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    value = va_arg(list, unsigned);
    va_end(list);
  }
  if (!controlled()) return real::sem_open(name, flags, mode, value);
  return openName(name, flags, value, __builtin_return_address(0));
}

MCMINI_EXPORT int sem_close(sem_t* semaphore) noexcept {
  return controlled() ? closeNamed(semaphore) : real::sem_close(semaphore);
}

MCMINI_EXPORT int sem_unlink(const char* name) noexcept {
  return controlled() ? unlinkName(name, __builtin_return_address(0)) : real::sem_unlink(name);
}

MCMINI_EXPORT int sem_wait(sem_t* semaphore) {
  if (!controlled()) return noted(semaphore, real::sem_wait(semaphore));
  return wait(semaphore, "semaphore.wait", "", false, __builtin_return_address(0));
}

MCMINI_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  if (!controlled()) return noted(semaphore, real::sem_trywait(semaphore));
  return take(semaphore, {.name = "semaphore.trywait",
                          .object = asObject(semaphore),
                          .args = {early.find(semaphore)},
                          .site = __builtin_return_address(0),
                          .doesNotWait = valueOf(semaphore) > 0,
                          .takes = true});
}

MCMINI_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* time) {
  if (!controlled()) return noted(semaphore, real::sem_timedwait(semaphore, time));
  return timedWait(semaphore, "", CLOCK_REALTIME, time, __builtin_return_address(0));
}

MCMINI_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (!controlled()) return noted(semaphore, real::sem_clockwait(semaphore, clock, time));
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return fail(EINVAL);
  return timedWait(semaphore, "sem_clockwait", clock, time, __builtin_return_address(0));
}

MCMINI_EXPORT int sem_post(sem_t* semaphore) noexcept {
  if (!controlled()) return noted(semaphore, real::sem_post(semaphore));
  bool fits = valueOf(semaphore) < SEM_VALUE_MAX;
  int64_t granted = announceOn(semaphore, "semaphore.post", 0, __builtin_return_address(0), fits);
  if (granted == 0 && real::sem_post(semaphore) != 0) disagree("sem_post", errno);
  return outcome(granted);
}

MCMINI_EXPORT int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (!controlled()) return real::sem_getvalue(semaphore, value);
  // A thread that looks again and again must not run ahead for ever.
  *value =
      static_cast<int>(announceOn(semaphore, "semaphore.getvalue", 0, __builtin_return_address(0), false));
  return 0;
}
