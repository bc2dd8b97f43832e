#pragma once

// The target's memory. Reserved address space is cut into slots, one per thread, each with the thread's
// stack and heap, so that the addresses a thread sees are a function of its own calls and not of the
// schedule: it allocates from its slot and from the blocks it freed itself, whoever had allocated them.
//
// A slot has three arenas, so that what happens behind the program's back does not shift its addresses:
//   user     whatever is in neither of the others
//   libc     calls from the text of libc: buffers of stdio, strdup, getline
//   runtime  calls from the loader and within RuntimeAllocations: thread-local storage, which glibc frees
//            when the scheduler likes. Never used again, and not held against the limit.
//
// No locks: a slot is used by one thread. A thread that was never given one (glibc starts some for itself)
// takes one from the end.

#include <stddef.h>
#include <stdint.h>

namespace mcmini {

struct StackSpace {
  void* lowest;
  size_t size;
  void* signalStack;
  size_t signalStackSize;
};

/// Prepares a slot for a new thread; what is below the stack cannot be accessed. The size is rounded up to
/// pages, and to 16 KiB at least. lowest is null if the slot has no room for such a stack.
StackSpace prepareSlot(uint32_t thread, size_t stackSize);

/// The calling thread allocates from this slot from now on. Without it the main thread has slot 0.
void useSlot(uint32_t thread);

/// Which slot does the address lie in? False if in none.
bool slotOf(const void* address, uint32_t* thread);

/// The thread in whose stack the address lies, as prepareSlot laid it out. False if in none.
bool stackOwner(const void* address, uint32_t* thread);

/// Is some of it where slots are, or will be?
bool meetsSlots(const void* address, size_t size);

/// While one lives, the thread's allocations come from the runtime arena, where free() does nothing.
class RuntimeAllocations {
 public:
  RuntimeAllocations();
  ~RuntimeAllocations();
  RuntimeAllocations(const RuntimeAllocations&) = delete;
  RuntimeAllocations& operator=(const RuntimeAllocations&) = delete;
};

// What malloc and its family are made of. Memory that is not ours or was freed aborts the program with the
// sentence that glibc has for it.

enum Arena : uint16_t { kUser, kLibc, kRuntime, kArenas };

/// For a function that was called from there.
Arena arenaFor(const void* caller);

struct Allocation {
  void* memory;  // null, and errno is ENOMEM, if there is none
  size_t dirty;  // so many bytes at its start may differ from zero
};

Allocation allocate(size_t size, Arena arena);

/// The alignment is a power of two.
Allocation allocateAligned(size_t alignment, size_t size, Arena arena);

/// Leaves errno alone.
void release(void* memory);

/// False, and nothing is changed, if the block is too small for the new size or far too large.
bool resizeInPlace(void* memory, size_t size);

size_t usableSize(void* memory);

/// Has the program a malloc of its own, which the C library calls as well?
bool hasForeignMalloc();

/// Are told of what the program allocates, and where it frees; null: nobody.
extern void (*onAllocation)(const void* memory, size_t size);
extern void (*onNewObject)(const void* memory, size_t size);
extern void (*onFree)(const void* memory, size_t size, const void* site);

}  // namespace mcmini
