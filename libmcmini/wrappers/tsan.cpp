// What the compiler puts in front of each access to memory if told to (-fsanitize=thread): gcc's functions,
// and clang's. They are no operations; the accesses are recorded.

#include <stddef.h>
#include <stdint.h>

#include "libmcmini/accesses.h"
#include "libmcmini/real.h"

using namespace mcmini;

#define MCMINI_SITE __builtin_return_address(0)

// One function each for accesses of 1 to 16 bytes.
#define MCMINI_ACCESS(NAME, SIZE, WRITES)                        \
  MCMINI_EXPORT void NAME##SIZE(void* memory) {                  \
    noteAccess(memory, SIZE, WRITES, MCMINI_SITE);               \
  }                                                              \
  MCMINI_EXPORT void NAME##SIZE##_pc(void* memory, void* site) { \
    noteAccess(memory, SIZE, WRITES, site);                      \
  }
#define MCMINI_ACCESSES(NAME, WRITES) \
  MCMINI_ACCESS(NAME, 1, WRITES)      \
  MCMINI_ACCESS(NAME, 2, WRITES)      \
  MCMINI_ACCESS(NAME, 4, WRITES)      \
  MCMINI_ACCESS(NAME, 8, WRITES)      \
  MCMINI_ACCESS(NAME, 16, WRITES)
#define MCMINI_CHANGE(NAME, SIZE)                 \
  MCMINI_EXPORT void NAME##SIZE(void* memory) {   \
    noteAccess(memory, SIZE, false, MCMINI_SITE); \
    noteAccess(memory, SIZE, true, MCMINI_SITE);  \
  }
#define MCMINI_CHANGES(NAME) \
  MCMINI_CHANGE(NAME, 1)     \
  MCMINI_CHANGE(NAME, 2)     \
  MCMINI_CHANGE(NAME, 4)     \
  MCMINI_CHANGE(NAME, 8)     \
  MCMINI_CHANGE(NAME, 16)

MCMINI_ACCESSES(__tsan_read, false)
MCMINI_ACCESSES(__tsan_write, true)
MCMINI_ACCESSES(__tsan_unaligned_read, false)
MCMINI_ACCESSES(__tsan_unaligned_write, true)
MCMINI_ACCESSES(__tsan_volatile_read, false)
MCMINI_ACCESSES(__tsan_volatile_write, true)
MCMINI_ACCESSES(__tsan_unaligned_volatile_read, false)
MCMINI_ACCESSES(__tsan_unaligned_volatile_write, true)
MCMINI_CHANGES(__tsan_read_write)
MCMINI_CHANGES(__tsan_unaligned_read_write)

MCMINI_EXPORT void __tsan_read_range(void* memory, size_t size) {
  if (size != 0) noteAccess(memory, size, false, MCMINI_SITE);
}

MCMINI_EXPORT void __tsan_write_range(void* memory, size_t size) {
  if (size != 0) noteAccess(memory, size, true, MCMINI_SITE);
}

MCMINI_EXPORT void __tsan_vptr_read(void** pointer) {
  noteAccess(pointer, sizeof *pointer, false, MCMINI_SITE);
}

// Each destructor sets the pointer to its own class; mostly it is there already, and nobody can see a
// difference.
MCMINI_EXPORT void __tsan_vptr_update(void** pointer, void* value) {
  if (*pointer != value) noteAccess(pointer, sizeof *pointer, true, MCMINI_SITE);
}

MCMINI_EXPORT void __tsan_init() {
  expectAccesses();
}

MCMINI_EXPORT void __tsan_func_entry(void*) {}
MCMINI_EXPORT void __tsan_func_exit() {}
