// Memory that the program maps by itself counts against the same limit as its heap.

#include <errno.h>
#include <sys/mman.h>

#include "libmcmini/accesses.h"
#include "libmcmini/gate.h"
#include "libmcmini/heap.h"
#include "libmcmini/real.h"

MCMINI_WRAPS(mmap)

using namespace mcmini;

namespace {

constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS;

}  // namespace

MCMINI_EXPORT void* mmap(void* address, size_t size, int rights, int flags, int fd, off_t offset) noexcept {
  bool counts = controlled() && (flags & kAnonymous) == kAnonymous && (rights & PROT_WRITE) != 0;
  if (counts && !accountMapped(size)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* memory = real::mmap(address, size, rights, flags, fd, offset);
  if (memory != MAP_FAILED) noteObject(memory, size);
  return memory;
}

MCMINI_EXPORT void* mmap64(void* address, size_t size, int rights, int flags, int fd,
                           off64_t offset) noexcept {
  return mmap(address, size, rights, flags, fd, offset);
}
