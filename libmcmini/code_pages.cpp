#include "libmcmini/code_pages.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mcmini {

namespace {

constexpr size_t kPageSize = 4096;

struct Range {
  unsigned long begin = 0;
  unsigned long end = 0;
};

// What is less is not worth the trouble of finding it again.
constexpr size_t kManyPages = 64;

// Are many of these pages in memory, and is it certain that nobody has written to them, neither a linker nor
// whoever patches code?
bool isLargeAndAsInFile(int pagemap, const Range& range) {
  constexpr uint64_t kPresent = uint64_t{1} << 63;
  constexpr uint64_t kSwapped = uint64_t{1} << 62;
  constexpr uint64_t kOfFile = uint64_t{1} << 61;
  uint64_t pages[512];
  size_t present = 0;
  for (unsigned long page = range.begin / kPageSize; page < range.end / kPageSize;) {
    size_t count = range.end / kPageSize - page;
    if (count > 512) count = 512;
    auto size = static_cast<ssize_t>(count * sizeof pages[0]);
    if (pread(pagemap, pages, static_cast<size_t>(size), static_cast<off_t>(page * sizeof pages[0])) != size)
      return false;
    for (size_t i = 0; i < count; ++i) {
      bool isPresent = (pages[i] & kPresent) != 0;
      if ((pages[i] & kSwapped) != 0 || (isPresent && (pages[i] & kOfFile) == 0)) return false;
      present += isPresent ? 1 : 0;
    }
    page += count;
  }
  return present > kManyPages;
}

// What is kept of them is dropped, and comes back from the file when it is needed.
class Trimmed {
 public:
  void add(const Range& range) {
    if (count_ < kMost) ranges_[count_++] = range;
  }
  void drop() const {
    for (size_t i = 0; i < count_; ++i)
      madvise(reinterpret_cast<void*>(ranges_[i].begin), ranges_[i].end - ranges_[i].begin, MADV_DONTNEED);
  }

 private:
  static constexpr size_t kMost = 256;
  Range ranges_[kMost];
  size_t count_ = 0;
};

}  // namespace

void keepCodeMapped() {
  int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  FILE* maps = fopen("/proc/self/maps", "re");
  unsigned long entry = getauxval(AT_ENTRY);
  Trimmed trimmed;
  char line[512];
  while (memory >= 0 && maps != nullptr && fgets(line, sizeof line, maps) != nullptr) {
    Range range;
    char rights[5] = "";
    char name[256] = "";
    unsigned long offset = 0;
    if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %255s", &range.begin, &range.end, rights, &offset, name) < 5)
      continue;
    bool isCode = strcmp(rights, "r-xp") == 0;
    bool isUsed = isCode || (strcmp(rights, "r--p") == 0 && offset != 0);
    if (!isUsed || name[0] != '/') continue;
    bool isOfProgram = range.begin <= entry && entry < range.end;
    if (isCode && !isOfProgram && isLargeAndAsInFile(pagemap, range)) trimmed.add(range);
    char first = *reinterpret_cast<const char*>(range.begin);
    if (pwrite(memory, &first, 1, static_cast<off_t>(range.begin)) != 1) break;
  }
  if (maps != nullptr) fclose(maps);
  if (pagemap >= 0) close(pagemap);
  if (memory >= 0) close(memory);
  trimmed.drop();
}

}  // namespace mcmini
