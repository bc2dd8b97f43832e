// The names by which the program allocates. They behave like those of glibc 2.36.

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "libmcmini/heap.h"

#define MCMINI_EXPORT extern "C" __attribute__((visibility("default")))
#define MCMINI_ARENA mcmini::arenaFor(__builtin_return_address(0))

namespace mcmini {

void (*onAllocation)(const void* memory, size_t size) = nullptr;
void (*onNewObject)(const void* memory, size_t size) = nullptr;
void (*onFree)(const void* memory, size_t size, const void* site) = nullptr;

}  // namespace mcmini

namespace {

constexpr size_t kPage = 4096;

bool isPowerOfTwo(size_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

void* noted(void* memory, size_t size) {
  if (mcmini::onAllocation != nullptr && memory != nullptr) mcmini::onAllocation(memory, size);
  if (mcmini::onNewObject != nullptr && memory != nullptr) mcmini::onNewObject(memory, size);
  return memory;
}

void release(void* memory, const void* site) {
  if (memory == nullptr) return;
  if (mcmini::onFree != nullptr) mcmini::onFree(memory, mcmini::usableSize(memory), site);
  mcmini::release(memory);
}

using Delete = void (*)(void*);

bool isForeign(const void* function) {
  Dl_info theirs, ours;
  return function != nullptr && dladdr(function, &theirs) != 0 &&
         dladdr(reinterpret_cast<const void*>(&isForeign), &ours) != 0 && theirs.dli_fbase != ours.dli_fbase;
}

bool isOfStandardLibrary(const void* function) {
  Dl_info info;
  return dladdr(function, &info) != 0 && strstr(info.dli_fname, "libstdc++") != nullptr;
}

// The program comes before this library, and another one that has an operator new of its own after it.
Delete findForeign(const char* name) {
  void* first = dlsym(RTLD_DEFAULT, name);
  if (isForeign(first)) return reinterpret_cast<Delete>(first);
  const void* itsNew = dlsym(RTLD_DEFAULT, "_Znwm");
  if (itsNew == nullptr || isOfStandardLibrary(itsNew)) return nullptr;
  return reinterpret_cast<Delete>(dlsym(RTLD_NEXT, name));
}

// Looked up before the template forks; the first calls may come even earlier.
__attribute__((constructor)) Delete foreignDelete() {
  static const Delete found = findForeign("_ZdlPv");
  return found;
}
__attribute__((constructor)) Delete foreignDeleteOfArray() {
  static const Delete found = findForeign("_ZdaPv");
  return found;
}

void destroy(Delete foreign, void* memory, const void* site) {
  if (foreign == nullptr) return release(memory, site);
  foreign(memory);
}

// What libstdc++ has for an array is the operator of a single object.
void destroyArray(void* memory, const void* site) {
  Delete foreign = foreignDeleteOfArray();
  destroy(foreign != nullptr ? foreign : foreignDelete(), memory, site);
}

void* outOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

void* resize(void* memory, size_t size, mcmini::Arena arena, const void* site) {
  if (memory == nullptr) return noted(mcmini::allocate(size, arena).memory, size);
  if (size == 0) {
    release(memory, site);
    return nullptr;
  }
  if (mcmini::resizeInPlace(memory, size)) return memory;
  const size_t old = mcmini::usableSize(memory);
  void* moved = noted(mcmini::allocate(size, arena).memory, size);
  if (moved == nullptr) return size <= old ? memory : nullptr;
  memcpy(moved, memory, size < old ? size : old);
  release(memory, site);
  return moved;
}

void* align(size_t alignment, size_t size, mcmini::Arena arena) {
  constexpr size_t kHighest = ~(SIZE_MAX / 2);
  if (alignment > kHighest) {
    errno = EINVAL;
    return nullptr;
  }
  size_t power = 1;
  while (power < alignment) power *= 2;
  return noted(mcmini::allocateAligned(power, size, arena).memory, size);
}

}  // namespace

bool mcmini::hasForeignMalloc() {
  return isForeign(dlsym(RTLD_DEFAULT, "malloc"));
}

MCMINI_EXPORT void* malloc(size_t size) noexcept {
  return noted(mcmini::allocate(size, MCMINI_ARENA).memory, size);
}

MCMINI_EXPORT void free(void* memory) noexcept {
  release(memory, __builtin_return_address(0));
}

MCMINI_EXPORT void* calloc(size_t count, size_t size) noexcept {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return outOfMemory();
  const mcmini::Allocation allocation = mcmini::allocate(bytes, MCMINI_ARENA);
  if (allocation.dirty != 0)
    memset(allocation.memory, 0, bytes < allocation.dirty ? bytes : allocation.dirty);
  return noted(allocation.memory, bytes);
}

MCMINI_EXPORT void* realloc(void* memory, size_t size) noexcept {
  return resize(memory, size, MCMINI_ARENA, __builtin_return_address(0));
}

MCMINI_EXPORT void* reallocarray(void* memory, size_t count, size_t size) noexcept {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return outOfMemory();
  return resize(memory, bytes, MCMINI_ARENA, __builtin_return_address(0));
}

MCMINI_EXPORT void* memalign(size_t alignment, size_t size) noexcept {
  return align(alignment, size, MCMINI_ARENA);
}

MCMINI_EXPORT void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return align(alignment, size, MCMINI_ARENA);
}

MCMINI_EXPORT int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  if (alignment % sizeof(void*) != 0 || !isPowerOfTwo(alignment)) return EINVAL;
  void* aligned = align(alignment, size, MCMINI_ARENA);
  if (aligned == nullptr) return ENOMEM;
  *memory = aligned;
  return 0;
}

MCMINI_EXPORT void* valloc(size_t size) noexcept {
  return align(kPage, size, MCMINI_ARENA);
}

MCMINI_EXPORT void* pvalloc(size_t size) noexcept {
  size_t bytes;
  if (__builtin_add_overflow(size, kPage - 1, &bytes)) return outOfMemory();
  return align(kPage, bytes / kPage * kPage, MCMINI_ARENA);
}

MCMINI_EXPORT size_t malloc_usable_size(void* memory) noexcept {
  return memory == nullptr ? 0 : mcmini::usableSize(memory);
}

// What libstdc++ has, but for the place that it is called from.
MCMINI_EXPORT void _ZdlPv(void* memory) noexcept {
  destroy(foreignDelete(), memory, __builtin_return_address(0));
}

MCMINI_EXPORT void _ZdaPv(void* memory) noexcept {
  destroyArray(memory, __builtin_return_address(0));
}

MCMINI_EXPORT void _ZdlPvm(void* memory, size_t) noexcept {
  destroy(foreignDelete(), memory, __builtin_return_address(0));
}

MCMINI_EXPORT void _ZdaPvm(void* memory, size_t) noexcept {
  destroyArray(memory, __builtin_return_address(0));
}
