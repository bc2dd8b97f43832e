#include "libmcmini/runtime.h"

#include <execinfo.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "libmcmini/imports.h"

namespace mcmini {

namespace {

struct Range {
  uint64_t begin;
  uint64_t end;
};

constexpr const char* kLibraries[] = {"/libstdc++.so", "/libgcc_s.so", "/libc++.so", "/libc++abi.so"};
Range ranges[8];
unsigned count;

int note(dl_phdr_info* module, size_t, void*) {
  for (const char* library : kLibraries) {
    if (strstr(module->dlpi_name, library) == nullptr || count == sizeof ranges / sizeof ranges[0]) continue;
    Range range{UINT64_MAX, 0};
    for (int i = 0; i < module->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = module->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD) continue;
      uint64_t begin = module->dlpi_addr + segment.p_vaddr;
      if (begin < range.begin) range.begin = begin;
      if (begin + segment.p_memsz > range.end) range.end = begin + segment.p_memsz;
    }
    ranges[count++] = range;
  }
  return 0;
}

}  // namespace

// The C library loads what unwinds a stack only when a thread is cancelled or exits: too late to be found.
void findRuntime() {
  void* here = nullptr;
  if (isImported("pthread_cancel") || isImported("pthread_exit") || isImported("thrd_exit"))
    backtrace(&here, 1);
  dl_iterate_phdr(note, nullptr);
}

bool isOfRuntime(const volatile void* object) {
  auto address = reinterpret_cast<uint64_t>(object);
  for (unsigned i = 0; i < count; ++i)
    if (address >= ranges[i].begin && address < ranges[i].end) return true;
  return false;
}

}  // namespace mcmini
