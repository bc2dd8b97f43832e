#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libmcmini/accesses.h"
#include "libmcmini/cancel.h"
#include "libmcmini/ending.h"
#include "libmcmini/fibers.h"
#include "libmcmini/gate.h"
#include "libmcmini/heap.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"
#include "libmcmini/thread_number.h"
#include "libmcmini/wrappers/handlers.h"
#include "libmcmini/wrappers/join.h"
#include "libmcmini/wrappers/signals.h"

MCMINI_WRAPS(exit)
MCMINI_WRAPS(pthread_create)
MCMINI_WRAPS(pthread_detach)
MCMINI_WRAPS(pthread_getattr_np)
MCMINI_WRAPS(pthread_setattr_default_np)
MCMINI_WRAPS(pthread_setname_np)
MCMINI_WRAPS(pthread_key_create)

extern "C" int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept;
extern "C" int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* library) noexcept;
MCMINI_WRAPS(__cxa_thread_atexit_impl)

namespace mcmini {

namespace {

struct Start {
  void* (*routine)(void*);
  void* argument;
  pthread_t handle;
  void* signalStack;
  size_t signalStackSize;
  const char* stackTop;
  size_t readyStack;   // the size of the stack that a fiber has which waits to be used; 0: there is none
  bool wasReady;       // it is that fiber
  bool hasReturned;    // and has ended without the C library
  uint32_t guardSize;  // as the C library would have it below the stack; 0 if the stack is the program's
  void* value;         // with this value
};

MCMINI_BY_THREAD Start starts[wire::kMaxThreads];
pthread_key_t endKey;
bool haveEndKey;
bool anyCreated;          // a thread, in this run
uint32_t unjoined;        // threads
bool mayHaveDestructors;  // some thread, of keys or of thread-local objects

// A value of the key survives this many rounds of destructors, the last that glibc does: so it goes after
// every destructor of the program's own.
constexpr uintptr_t kRounds = PTHREAD_DESTRUCTOR_ITERATIONS;

void endOfThread(void* roundsLeft) {
  if (!controlled()) return;
  auto left = reinterpret_cast<uintptr_t>(roundsLeft);
  if (left > 1) {
    pthread_setspecific(endKey, reinterpret_cast<void*>(left - 1));
    return;
  }
  // The C library would wait for fibers that are ready and never used.
  if (!anyCreated) real::exit(0);
  endThread();
}

// Destructors run in the order of the keys, so ours takes the last place that costs no memory: what the
// program creates later comes before it.
void createEndKey() {
  constexpr unsigned kLastPlace = 31;
  pthread_key_t before[kLastPlace + 1];
  unsigned count = 0;
  while (count <= kLastPlace && real::pthread_key_create(&endKey, endOfThread) == 0 && endKey < kLastPlace)
    before[count++] = endKey;
  haveEndKey = true;
  for (unsigned i = 0; i < count; ++i) pthread_key_delete(before[i]);
}

// The template creates it for fibers; the program may have more keys by now than there was room for.
void renewEndKey() {
  pthread_key_t next;
  if (!haveEndKey || real::pthread_key_create(&next, endOfThread) != 0) return;
  pthread_key_delete(next < endKey ? next : endKey);
  if (next > endKey) endKey = next;
}

void watchEndOfThread() {
  if (!haveEndKey) createEndKey();
  if (pthread_getspecific(endKey) == nullptr) pthread_setspecific(endKey, reinterpret_cast<void*>(kRounds));
}

// A fiber begins with the locale that the process has by then.
void adoptLocale() {
  if (strcmp(setlocale(LC_CTYPE, nullptr), "C") != 0) uselocale(LC_GLOBAL_LOCALE);
}

void announceEnd() {
  announce({.name = "thread.exit", .object = self, .doesNotWait = true});
}

// The C library has nothing to do for a fiber that returns, if there are no destructors. A run gets a copy of
// each page that it writes to, and what the library has of a fiber lies in a page of its own.
void endIfNothingIsLeft(Start& mine, void* value) {
  if (!controlled() || !mine.wasReady || mayHaveDestructors) return;
  mine.value = value;
  mine.hasReturned = true;
  announceEnd();
  leave();
}

void* runThread(void* start) {
  Start& mine = *static_cast<Start*>(start);
  self = static_cast<uint32_t>(&mine - starts);
  // A stack of the C library's ends with the descriptor.
  stackTop = mine.stackTop != nullptr ? mine.stackTop : reinterpret_cast<const char*>(pthread_self());
  useSlot(self);
  if (useFibers) {
    watchEndOfThread();
    park(self);
    adoptLocale();
  } else {
    useSignalStack(mine.signalStack, mine.signalStackSize);
  }
  channel->boxes[self].tid = static_cast<uint32_t>(useFibers ? channel->pid : rawSyscall(SYS_gettid));
  takeFirstTurn();
  watchEndOfThread();
  void* value = mine.routine(mine.argument);
  endIfNothingIsLeft(mine, value);
  return value;
}

// Of threads whose creator does not say; looked up once in the template.
size_t usualStackSize;
uint32_t usualGuardSize;

// As the C library rounds it up.
uint32_t guardSizeIn(const pthread_attr_t& attributes) {
  constexpr size_t kPage = 4096;
  size_t size = 0;
  pthread_attr_getguardsize(&attributes, &size);
  return static_cast<uint32_t>((size + kPage - 1) / kPage * kPage);
}

void lookUpUsualStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  pthread_attr_getstacksize(&attributes, &usualStackSize);
  usualGuardSize = guardSizeIn(attributes);
  pthread_attr_destroy(&attributes);
}

// The thread's attributes, with a stack whose place depends on nothing but which thread it is. One that is
// too large for that is left to the C library.
bool placeStack(uint32_t thread, pthread_attr_t& attributes, bool given) {
  Start& start = starts[thread];
  void* own = nullptr;
  size_t size = 0;
  // Without a stack of its own, the attributes have the size below the address 0.
  const bool hasOwn = given && pthread_attr_getstack(&attributes, &own, &size) == 0 &&
                      reinterpret_cast<uintptr_t>(own) + size != 0;
  start.guardSize = hasOwn ? 0 : given ? guardSizeIn(attributes) : usualGuardSize;
  if (hasOwn) {
    StackSpace space = prepareSlot(thread, 0);
    start.signalStack = space.signalStack;
    start.signalStackSize = space.signalStackSize;
    start.stackTop = static_cast<char*>(own) + size;
    noteObject(own, size);
    return true;
  }
  if (!given || pthread_attr_getstacksize(&attributes, &size) != 0 || size == 0) size = usualStackSize;
  StackSpace space = prepareSlot(thread, size);
  const bool tooLarge = space.lowest == nullptr;
  if (tooLarge) space = prepareSlot(thread, 0);
  if (space.lowest == nullptr) return false;
  start.signalStack = space.signalStack;
  start.signalStackSize = space.signalStackSize;
  start.stackTop = nullptr;
  if (tooLarge) return true;
  start.stackTop = static_cast<char*>(space.lowest) + space.size;
  // What every thread touches, at the price of one fault.
  constexpr long kTouched = 2L * 4096;
  rawSyscall(SYS_madvise, reinterpret_cast<long>(start.stackTop) - kTouched, kTouched, MADV_POPULATE_WRITE);
  return pthread_attr_setstack(&attributes, space.lowest, space.size) == 0;
}

int make(uint32_t thread, const pthread_attr_t* given) {
  Start& start = starts[thread];
  pthread_attr_t attributes;
  if (given == nullptr)
    pthread_attr_init(&attributes);
  else
    attributes = *given;
  RuntimeAllocations scope;
  if (!placeStack(thread, attributes, given != nullptr)) return EAGAIN;
  int result = real::pthread_create(&start.handle, &attributes, runThread, &start);
  if (result != 0 || !useFibers) return result;
  giveSignalStack(thread, start.signalStack, start.signalStackSize);
  adoptFiber(thread, start.handle);
  return 0;
}

bool isUsual(const pthread_attr_t* given, int detached) {
  if (given == nullptr) return true;
  pthread_attr_t usual;
  pthread_attr_init(&usual);
  pthread_attr_setdetachstate(&usual, detached);
  return memcmp(given->__size, usual.__size, sizeof usual.__size) == 0;
}

int create(uint32_t thread, pthread_t* handle, const pthread_attr_t* given, int detached) {
  Start& start = starts[thread];
  int result = 0;
  start.wasReady = start.readyStack != 0 && start.readyStack == usualStackSize && isUsual(given, detached);
  if (!start.wasReady)
    result = make(thread, given);
  else if (detached == PTHREAD_CREATE_DETACHED)
    real::pthread_detach(start.handle);
  announceFor(thread, {.name = "thread.start",
                       .object = thread,
                       .args = {result == 0 ? 0U : 1U},
                       .doesNotWait = result == 0});
  if (result != 0) return result;
  if (useFibers) beginFiber(thread);
  *handle = start.handle;
  return 0;
}

int createQuietly(uint32_t thread, pthread_t* handle, const pthread_attr_t* given, int detached) {
  sigset_t blocked;
  bool says = given != nullptr && pthread_attr_getsigmask_np(given, &blocked) == 0;
  CreatingThread scope(thread, says ? &blocked : nullptr);
  return create(thread, handle, given, detached);
}

}  // namespace

// To make a fiber takes memory, of the program's own malloc if it has one: each run does that for itself
// then, or later ones would find less than the first.
void expectThreads(uint32_t count) {
  static uint32_t expected;
  static bool mayMakeThem;
  if (expected == 0) {
    starts[0].handle = pthread_self();
    lookUpUsualStack();
    mayMakeThem = !hasForeignMalloc();
    if (useFibers) watchEndOfThread();
  }
  while (expected < count) {
    ++expected;
    if (!useFibers)
      prepareSlot(expected, usualStackSize);
    else if (mayMakeThem && make(expected, nullptr) == 0)
      starts[expected].readyStack = usualStackSize;
  }
}

// Threads' handles are addresses in their stacks. One that the program provides may lie in the heap of
// another thread, and may have had another thread before.
uint32_t numberOf(pthread_t handle) {
  if (handle == 0) return kUncontrolled;
  uint32_t slot = 0;
  if (slotOf(reinterpret_cast<void*>(handle), &slot) && starts[slot].handle == handle) return slot;
  for (uint32_t i = channel->highest + 1; i-- > 0;)
    if (starts[i].handle == handle) return i;
  return kUncontrolled;
}

bool hasReturned(uint32_t thread, void** value) {
  if (thread >= wire::kMaxThreads || !starts[thread].hasReturned) return false;
  if (value != nullptr) *value = starts[thread].value;
  return true;
}

uint32_t unjoinedThreads() {
  return unjoined;
}

void noteJoined() {
  --unjoined;
}

void endThread() {
  announceEnd();
  if (useFibers) endDescriptor();
  leave();
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*),
                                 void* argument) noexcept {
  if (!controlled()) return real::pthread_create(handle, attributes, routine, argument);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  const void* site = __builtin_return_address(0);
  beginRecording();
  if (!anyCreated) {
    anyCreated = true;
    renewEndKey();
    watchEndOfThread();
  }
  auto thread = static_cast<uint64_t>(
      announce({.name = "thread.create",
                .args = {reinterpret_cast<uint64_t>(routine), detached == PTHREAD_CREATE_DETACHED ? 1U : 0U},
                .site = site}));
  if (thread >= wire::kMaxThreads) overLimit("threads in all runs together", wire::kMaxThreads);
  auto slot = static_cast<uint32_t>(thread);
  starts[slot].routine = routine;
  starts[slot].argument = argument;
  inheritProbe(slot);
  int result = createQuietly(slot, handle, attributes, detached);
  if (result == 0) {
    ++unjoined;
    return 0;
  }
  announce({.name = "thread.unstarted", .object = slot, .site = site, .doesNotWait = true});
  withdraw(slot);
  return result;
}

MCMINI_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (destructor != nullptr) mayHaveDestructors = true;
  return real::pthread_key_create(key, destructor);
}

MCMINI_EXPORT int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  return pthread_key_create(key, destructor);
}

MCMINI_EXPORT int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* library) noexcept {
  mayHaveDestructors = true;
  return real::__cxa_thread_atexit_impl(destructor, object, library);
}

MCMINI_EXPORT int pthread_setattr_default_np(const pthread_attr_t* attributes) noexcept {
  int result = real::pthread_setattr_default_np(attributes);
  lookUpUsualStack();
  return result;
}

// The C library takes a stack that is placed for one of the program's own, without a guard.
MCMINI_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  int result = real::pthread_getattr_np(handle, attributes);
  if (result != 0 || !controlled()) return result;
  uint32_t thread = numberOf(handle);
  if (thread < wire::kMaxThreads && starts[thread].guardSize != 0)
    pthread_attr_setguardsize(attributes, starts[thread].guardSize);
  return 0;
}

// For the report: the thread does it all the same.
MCMINI_EXPORT int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  int result = real::pthread_setname_np(handle, name);
  if (result != 0 || !controlled()) return result;
  uint32_t thread = pthread_equal(handle, pthread_self()) != 0 ? self : numberOf(handle);
  if (thread < wire::kMaxThreads) strncpy(channel->boxes[thread].title, name, wire::kTitleSize - 1);
  return 0;
}

MCMINI_EXPORT int pthread_detach(pthread_t handle) noexcept {
  if (!controlled()) return real::pthread_detach(handle);
  int64_t result =
      announce({.name = "thread.detach", .object = numberOf(handle), .site = __builtin_return_address(0)});
  return result != 0 ? static_cast<int>(result) : real::pthread_detach(handle);
}
