#pragma once

// Atomic operations as instrumented code asks for them, and how the processor does them.

#include <stdint.h>

namespace mcmini::atomics {

__extension__ using Wide = unsigned __int128;

// The numbers of those between kExchange and kNand are known to transitions/atomic.
enum Kind : uint8_t { kExchange, kAdd, kSub, kAnd, kOr, kXor, kNand, kLoad, kStore, kCas };

template <class T>
struct Call {
  volatile T* at;
  Kind kind;
  T operand;
  T expected;
  int order;
  int orderOfFailure;
  const void* site;

  bool writes(T old) const { return kind != kLoad && (kind != kCas || old == expected); }

  // What the variable holds after it.
  T after(T old) const {
    switch (kind) {
      case kLoad:
        return old;
      case kCas:
        return old == expected ? operand : old;
      case kAdd:
        return static_cast<T>(old + operand);
      case kSub:
        return static_cast<T>(old - operand);
      case kAnd:
        return old & operand;
      case kOr:
        return old | operand;
      case kXor:
        return old ^ operand;
      case kNand:
        return static_cast<T>(~(old & operand));
      default:
        return operand;
    }
  }
};

template <class T>
inline bool swapIf(volatile T* at, T expected, T desired) {
  return __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <class T>
inline T read(volatile T* at) {
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

#ifdef __x86_64__
__attribute__((target("cx16"), noinline))
#endif
inline bool
swapIf(volatile Wide* at, Wide expected, Wide desired) {
  return __sync_bool_compare_and_swap(at, expected, desired);
}
inline Wide read(volatile Wide* at) {
  Wide seen = *at;  // halves of two values are no value: then it is not there
  while (!swapIf(at, seen, seen)) seen = *at;
  return seen;
}

// Sequentially consistent, whatever order was asked for.
template <class T>
T perform(const Call<T>& call) {
  T old = read(call.at);
  if (call.kind == kLoad) return old;
  while (call.writes(old) && !swapIf(call.at, old, call.after(old))) old = read(call.at);
  return old;
}

}  // namespace mcmini::atomics
