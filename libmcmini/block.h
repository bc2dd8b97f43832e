#pragma once

// Blocks of memory as the heap hands them out, and the sizes that they have.

#include <stddef.h>
#include <stdint.h>

#include "libmcmini/heap.h"

namespace mcmini {

constexpr size_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;
constexpr size_t kAlignment = 16;

constexpr size_t roundUp(size_t size, size_t unit) {
  return (size + unit - 1) & ~(unit - 1);
}

// In front of what malloc returns. The state comes first, where an overrun of the block before destroys it.
struct alignas(kAlignment) Block {
  enum State : uint32_t { kLive = 0x6c697665, kFreed = 0x66726565, kInside = 0x696e7369 };
  State state;
  uint16_t sizeClass;
  Arena arena;
  size_t size;  // usable bytes; if kInside, in front of aligned memory: how far that is into the block's

  char* memory() { return reinterpret_cast<char*>(this + 1); }
  Block*& next() { return *reinterpret_cast<Block**>(memory()); }
};
static_assert(sizeof(Block) == kAlignment);

// Classes: steps of 16 bytes up to 1 KiB, then four to each power of two. Those of 1 MiB and more start at a
// page and have one more for the header; only as many of their pages as the program asked for are counted.
constexpr size_t kFineClasses = kKiB / kAlignment;
constexpr unsigned kFirstShift = 10, kLastShift = 31;
constexpr size_t kClasses = kFineClasses + size_t{4} * (kLastShift - kFirstShift + 1);
constexpr size_t kLarge = kMiB, kLargest = size_t{2} << kLastShift;

constexpr uint16_t classOf(size_t size) {
  if (size <= kKiB) return static_cast<uint16_t>(size == 0 ? 0 : (size - 1) / kAlignment);
  const auto shift = static_cast<unsigned>(63 - __builtin_clzl(size - 1));
  return static_cast<uint16_t>(kFineClasses + size_t{4} * (shift - kFirstShift) +
                               ((size - 1) >> (shift - 2)) - 4);
}

constexpr size_t capacityOf(size_t sizeClass) {
  if (sizeClass < kFineClasses) return (sizeClass + 1) * kAlignment;
  const size_t coarse = sizeClass - kFineClasses;
  return (coarse % 4 + 5) << (coarse / 4 + kFirstShift - 2);
}

}  // namespace mcmini
