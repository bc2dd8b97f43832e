#pragma once

// Accesses to memory that are no operations: the checker reads of them after a run, and looks for two that
// nothing orders. They cost nothing in a program that does not tell of them, or before it has started a
// thread; then little, if the same bytes were accessed since the thread's last step.
//
// Code that was compiled to tell of its accesses calls noteAccess through __tsan_read4 and its like. An
// atomic access is an operation; its wrapper calls noteAtomic as soon as it has its turn, before it does
// anything else, so that the access belongs to that step.

#include <stddef.h>
#include <stdint.h>

#include "libmcmini/wire.h"

namespace mcmini {

// Is there anything to record? Only then are the functions below called for each access.
extern bool recordsAccesses;

// The program tells of its accesses; called by __tsan_init, as often as it likes.
void expectAccesses();

// A thread is about to be created: until now nobody else was there.
void beginRecording();

// The process is not the checker's any more.
void endRecording();

void recordAccess(uint64_t address, size_t size, bool isWrite, const void* site);
void recordWhole(wire::Access::Kind kind, uint64_t address, size_t size, const void* site);

// A signal that is to let others run comes while a record is written: they run as soon as that is done. True
// if that is so.
bool deferSlice();

inline uint64_t addressIn(const volatile void* memory) {
  return reinterpret_cast<uint64_t>(memory);
}

// `site`: where the program does it, as a return address.
inline void noteAccess(const volatile void* memory, size_t size, bool isWrite, const void* site) {
  if (__builtin_expect(recordsAccesses, 0)) recordAccess(addressIn(memory), size, isWrite, site);
}

inline void noteAtomic(const volatile void* memory, size_t size, bool isWrite, const void* site) {
  if (recordsAccesses)
    recordWhole(isWrite ? wire::Access::kAtomicWrite : wire::Access::kAtomicRead, addressIn(memory), size,
                site);
}

// Where the guard of a static variable is no operation, it orders memory still. Whoever finds that the
// variable has been initialized sees what was done for that.
void recordInitialized(uint64_t guard);
inline void noteInitialized(const volatile void* guard) {
  if (recordsAccesses) recordInitialized(addressIn(guard));
}
inline void noteAcquire(const volatile void* memory) {
  if (recordsAccesses) recordWhole(wire::Access::kAcquire, addressIn(memory), 1, nullptr);
}
inline void noteRelease(const volatile void* memory) {
  if (recordsAccesses) recordWhole(wire::Access::kRelease, addressIn(memory), 1, nullptr);
}

// Memory that has become another object: newly mapped, or a stack that the program gave to a thread.
inline void noteObject(const volatile void* memory, size_t size) {
  if (recordsAccesses) recordWhole(wire::Access::kBegin, addressIn(memory), size, nullptr);
}

}  // namespace mcmini
