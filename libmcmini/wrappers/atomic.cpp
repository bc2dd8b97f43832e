// Atomic variables of code that was compiled to tell of its accesses: C11's and C++'s, __atomic and __sync.

#include "libmcmini/accesses.h"
#include "libmcmini/atomics.h"
#include "libmcmini/gate.h"
#include "libmcmini/guards.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"

namespace mcmini {

namespace atomics {

namespace {

// Alone, a thread has nobody to affect, or to be affected by.
bool isVisible(const volatile void* at) {
  return controlled(at) && channel->highest > 0;
}

// What a thread has found lately. If it finds the same there again, it may be waiting for another one.
struct Found {
  const void* site;
  const volatile void* at;
  int64_t value;
  bool operator==(const Found& other) const {
    return site == other.site && at == other.at && value == other.value;
  }
};
constexpr unsigned kRemembered = 8;
__thread Found lately[kRemembered] __attribute__((tls_model("initial-exec")));
__thread unsigned next __attribute__((tls_model("initial-exec")));

bool wasFound(const Found& found) {
  for (const Found& earlier : lately)
    if (earlier == found) return true;
  return false;
}

// One that changes something gets on.
void remember(const Found& found, bool changes) {
  if (changes)
    for (Found& earlier : lately) earlier = {};
  else if (!wasFound(found))
    lately[next++ % kRemembered] = found;
}

template <class T>
uint64_t asWord(T value) {
  return value;
}
// The model is told no more than whether two values are the same.
uint64_t asWord(Wide value) {
  auto mix = [](uint64_t x) { return (x ^ x >> 29) * 0x9e3779b97f4a7c15U; };
  return mix(static_cast<uint64_t>(value) ^ mix(static_cast<uint64_t>(value >> 64) + 1));
}

template <class T>
uint64_t mannerOf(const Call<T>& call) {
  auto order = [](int given) { return static_cast<uint64_t>(given & 0xff); };
  return sizeof(T) | order(call.order) << 8 | order(call.orderOfFailure) << 16 | uint64_t{call.kind} << 24;
}

// What a variable held after the last operation on it. If it holds something else, or is of another size, the
// program has written to it as to plain memory.
struct Known {
  const volatile void* at;
  uint64_t value;
  uint64_t initial;
  uint32_t epoch;
  uint32_t size;
};
constexpr uint32_t kMaxKnown = 1U << 16;
MCMINI_LARGE Known known[kMaxKnown];  // by the address, or in the next free slot
uint32_t knownCount;

Known& knownAt(const volatile void* at, uint32_t size, uint64_t value) {
  auto slot = static_cast<uint32_t>(asObject(at) * 0x9e3779b97f4a7c15U >> 48) % kMaxKnown;
  while (known[slot].at != nullptr && known[slot].at != at) slot = (slot + 1) % kMaxKnown;
  Known& here = known[slot];
  if (here.at == at && here.value == value && here.size == size) return here;
  if (here.at == nullptr && ++knownCount > kMaxKnown / 2)
    overLimit("atomic variables in one run", kMaxKnown / 2);
  here = {at, value, value, here.epoch + 1, size};
  return here;
}

template <class T>
T actVisibly(OpName name, const Call<T>& call) {
  T now = read(call.at);
  Known& here = knownAt(call.at, sizeof(T), asWord(now));
  auto found = static_cast<int64_t>(here.value);
  bool again = call.after(now) == now && wasFound({call.site, call.at, found});
  announce({.name = name,
            .object = asObject(call.at),
            .args = {asWord(call.operand), asWord(call.expected), mannerOf(call)},
            .site = call.site,
            .doesNotWait = !again,
            .result = found,
            .initial = here.initial,
            .epoch = here.epoch});
  T old = read(call.at);
  noteAtomic(call.at, sizeof(T), call.writes(old), call.site);
  old = perform(call);
  here.value = asWord(call.after(old));
  remember({call.site, call.at, static_cast<int64_t>(asWord(old))}, call.after(old) != old);
  return old;
}

template <class T>
T act(const Call<T>& call) {
  if (!isVisible(call.at)) return perform(call);
  if (sizeof(T) == 1 && isGuard(call.at)) {
    T initialized = perform(call);
    if (initialized != 0) noteInitialized(call.at);
    return initialized;
  }
  if (call.kind == kLoad) return actVisibly("atomic.load", call);
  if (call.kind == kStore) return actVisibly("atomic.store", call);
  return call.kind == kCas ? actVisibly("atomic.cas", call) : actVisibly("atomic.rmw", call);
}

// What the model cannot compute is done as programs did it before there was such an operation.
Wide act(const Call<Wide>& call) {
  if (!isVisible(call.at)) return perform(call);
  if (call.kind == kLoad) return actVisibly("atomic.load", call);
  if (call.kind == kStore) return actVisibly("atomic.store", call);
  if (call.kind == kExchange) return actVisibly("atomic.rmw", call);
  if (call.kind == kCas) return actVisibly("atomic.cas", call);
  Call<Wide> look = call;
  look.kind = kLoad;
  Wide old = actVisibly("atomic.load", look);
  while (true) {
    Call<Wide> swap = {call.at, kCas, call.after(old), old, call.order, call.order, call.site};
    Wide found = actVisibly("atomic.cas", swap);
    if (found == old) return old;
    old = found;
  }
}

}  // namespace

}  // namespace atomics

}  // namespace mcmini

using namespace mcmini;

// Orders come as ints; __sync builtins have marks above the order.
#define MCMINI_ATOMIC_RMW(BITS, T, NAME, KIND)                                                     \
  MCMINI_EXPORT T __tsan_atomic##BITS##_##NAME(volatile T* at, T operand, int order) {             \
    return atomics::act(                                                                           \
        (atomics::Call<T>{at, atomics::KIND, operand, 0, order, 0, __builtin_return_address(0)})); \
  }

#define MCMINI_ATOMIC_CAS(BITS, T, NAME)                                                              \
  MCMINI_EXPORT int __tsan_atomic##BITS##_##NAME(volatile T* at, T* expected, T desired, int order,   \
                                                 int orderOfFailure) {                                \
    T wanted = *expected;                                                                             \
    T old = atomics::act((atomics::Call<T>{at, atomics::kCas, desired, wanted, order, orderOfFailure, \
                                           __builtin_return_address(0)}));                            \
    if (old == wanted) return 1;                                                                      \
    *expected = old;                                                                                  \
    return 0;                                                                                         \
  }

#define MCMINI_ATOMICS(BITS, T)                                                                             \
  MCMINI_EXPORT T __tsan_atomic##BITS##_load(const volatile T* at, int order) {                             \
    return atomics::act((atomics::Call<T>{const_cast<volatile T*>(at), atomics::kLoad, 0, 0, order, 0,      \
                                          __builtin_return_address(0)}));                                   \
  }                                                                                                         \
  MCMINI_EXPORT void __tsan_atomic##BITS##_store(volatile T* at, T value, int order) {                      \
    atomics::act((atomics::Call<T>{at, atomics::kStore, value, 0, order, 0, __builtin_return_address(0)})); \
  }                                                                                                         \
  MCMINI_ATOMIC_RMW(BITS, T, exchange, kExchange)                                                           \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_add, kAdd)                                                               \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_sub, kSub)                                                               \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_and, kAnd)                                                               \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_or, kOr)                                                                 \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_xor, kXor)                                                               \
  MCMINI_ATOMIC_RMW(BITS, T, fetch_nand, kNand)                                                             \
  MCMINI_ATOMIC_CAS(BITS, T, compare_exchange_strong)                                                       \
  MCMINI_ATOMIC_CAS(BITS, T, compare_exchange_weak)                                                         \
  MCMINI_EXPORT T __tsan_atomic##BITS##_compare_exchange_val(volatile T* at, T expected, T desired,         \
                                                             int order, int orderOfFailure) {               \
    return atomics::act((atomics::Call<T>{at, atomics::kCas, desired, expected, order, orderOfFailure,      \
                                          __builtin_return_address(0)}));                                   \
  }

MCMINI_ATOMICS(8, uint8_t)
MCMINI_ATOMICS(16, uint16_t)
MCMINI_ATOMICS(32, uint32_t)
MCMINI_ATOMICS(64, uint64_t)
MCMINI_ATOMICS(128, atomics::Wide)

MCMINI_EXPORT void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!atomics::isVisible(nullptr)) return;
  announce({.name = "atomic.fence",
            .args = {0, 0, static_cast<uint64_t>(order & 0xff) << 8},
            .site = __builtin_return_address(0),
            .doesNotWait = true});
}

MCMINI_EXPORT void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
