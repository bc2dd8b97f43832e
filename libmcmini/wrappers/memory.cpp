// Memory that the program maps by itself counts against the same limit as its heap, and leaves the slots
// alone.

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "libmcmini/accesses.h"
#include "libmcmini/budget.h"
#include "libmcmini/gate.h"
#include "libmcmini/heap.h"
#include "libmcmini/large.h"
#include "libmcmini/real.h"

MCMINI_WRAPS(mmap)
MCMINI_WRAPS(munmap)
MCMINI_WRAPS(mremap)

namespace mcmini {

namespace {

constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr size_t kPage = 4096;

size_t wholePages(size_t size) {
  return size > SIZE_MAX - kPage ? size : (size + kPage - 1) / kPage * kPage;
}

struct Range {
  uint64_t begin;
  uint64_t end;
};

// What is counted, and how much of it is given back. Ranges beyond the capacity are counted for good.
class Counted {
 public:
  void add(const void* memory, size_t size) {
    if (size == 0) return;
    for (Range& range : ranges_) {
      if (range.begin != range.end) continue;
      range = {asObject(memory), asObject(memory) + size};
      return;
    }
  }

  // How many bytes of it were counted.
  size_t remove(const void* memory, size_t size) {
    const Range gone = {asObject(memory), asObject(memory) + size};
    size_t removed = 0;
    for (Range& range : ranges_) {
      if (range.end <= gone.begin || gone.end <= range.begin) continue;
      const Range before = range;
      range.end = before.begin < gone.begin ? gone.begin : before.begin;
      removed += (before.end < gone.end ? before.end : gone.end) - range.end;
      if (before.end > gone.end) add(reinterpret_cast<const void*>(gone.end), before.end - gone.end);
    }
    return removed;
  }

 private:
  static constexpr uint32_t kMost = 1024;
  Range ranges_[kMost];
};

MCMINI_LARGE Counted counted;

// Where slots are there is no room for what the program only wishes to be there.
bool findRoom(void*& wanted, size_t size, int flags) {
  if (wanted == nullptr || (flags & MAP_FIXED) != 0 || !meetsSlots(wanted, size)) return true;
  wanted = nullptr;
  return (flags & MAP_FIXED_NOREPLACE) == 0;
}

}  // namespace

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT void* mmap(void* address, size_t size, int rights, int flags, int fd, off_t offset) noexcept {
  if (!findRoom(address, size, flags)) {
    errno = EEXIST;
    return MAP_FAILED;
  }
  bool counts = controlled() && (flags & kAnonymous) == kAnonymous && (rights & PROT_WRITE) != 0;
  size_t whole = wholePages(size);
  if (counts && !charge(whole)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* memory = real::mmap(address, size, rights, flags, fd, offset);
  if (memory == MAP_FAILED) {
    if (counts) discharge(whole);
    return memory;
  }
  if ((flags & MAP_FIXED) != 0) discharge(counted.remove(memory, whole));
  if (counts) counted.add(memory, whole);
  noteObject(memory, size);
  return memory;
}

MCMINI_EXPORT void* mmap64(void* address, size_t size, int rights, int flags, int fd,
                           off64_t offset) noexcept {
  return mmap(address, size, rights, flags, fd, offset);
}

MCMINI_EXPORT int munmap(void* memory, size_t size) noexcept {
  int result = real::munmap(memory, size);
  if (result == 0 && controlled()) discharge(counted.remove(memory, wholePages(size)));
  return result;
}

MCMINI_EXPORT void* mremap(void* memory, size_t size, size_t newSize, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* place = (flags & MREMAP_FIXED) != 0 ? va_arg(list, void*) : nullptr;
  va_end(list);
  if (!controlled()) return real::mremap(memory, size, newSize, flags, place);
  size_t before = counted.remove(memory, wholePages(size));
  size_t after = before == 0 ? 0 : wholePages(newSize);
  if (after > before && !charge(after - before)) {
    counted.add(memory, before);
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* moved = real::mremap(memory, size, newSize, flags, place);
  size_t kept = moved == MAP_FAILED ? before : after;
  counted.add(moved == MAP_FAILED ? memory : moved, kept);
  size_t charged = after > before ? after : before;
  if (charged > kept) discharge(charged - kept);
  if (moved != MAP_FAILED) noteObject(moved, newSize);
  return moved;
}
