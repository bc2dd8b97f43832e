#include "libmcmini/guards.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libmcmini/imports.h"
#include "libmcmini/large.h"

namespace mcmini {

namespace {

constexpr uint32_t kSlots = 8192;
MCMINI_LARGE uint64_t guards[kSlots];  // by the address, or in the next free slot
uint32_t count;

uint32_t slotOf(uint64_t address) {
  uint32_t slot = static_cast<uint32_t>(address / 8) % kSlots;
  while (guards[slot] != 0 && guards[slot] != address) slot = (slot + 1) % kSlots;
  return slot;
}

void add(uint64_t address) {
  if (count >= kSlots / 2) return;
  uint32_t slot = slotOf(address);
  if (guards[slot] == 0) ++count;
  guards[slot] = address;
}

// A file as it is on disk: symbols of functions' own variables are not loaded.
struct File {
  explicit File(const char* path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size > static_cast<long>(sizeof(Elf64_Ehdr))) {
      size = static_cast<size_t>(about.st_size);
      void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
      bytes = mapped == MAP_FAILED ? nullptr : static_cast<const char*>(mapped);
    }
    if (file >= 0) close(file);
  }
  ~File() {
    if (bytes != nullptr) munmap(const_cast<char*>(bytes), size);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Null if the file ends before that.
  template <class T>
  const T* at(uint64_t offset, uint64_t number = 1) const {
    bool whole = bytes != nullptr && offset <= size && number <= (size - offset) / sizeof(T);
    return whole ? reinterpret_cast<const T*>(bytes + offset) : nullptr;
  }

  const char* bytes = nullptr;
  size_t size = 0;
};

void addGuards(const File& file, const Elf64_Shdr& table, const Elf64_Shdr& strings, uint64_t base) {
  uint64_t number = table.sh_size / sizeof(Elf64_Sym);
  const auto* symbols = file.at<Elf64_Sym>(table.sh_offset, number);
  const char* names = file.at<char>(strings.sh_offset, strings.sh_size);
  if (symbols == nullptr || names == nullptr) return;
  constexpr char kPrefix[] = "_ZGV";
  for (uint64_t i = 0; i < number; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_name + sizeof kPrefix > strings.sh_size)
      continue;
    if (memcmp(names + symbol.st_name, kPrefix, sizeof kPrefix - 1) == 0) add(base + symbol.st_value);
  }
}

int look(dl_phdr_info* module, size_t, void*) {
  File file(*module->dlpi_name == 0 ? "/proc/self/exe" : module->dlpi_name);
  const auto* header = file.at<Elf64_Ehdr>(0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return 0;
  for (int i = 0; i < header->e_shnum; ++i) {
    bool isTable = sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM;
    if (isTable && sections[i].sh_link < header->e_shnum)
      addGuards(file, sections[i], sections[sections[i].sh_link], module->dlpi_addr);
  }
  return 0;
}

}  // namespace

// Only code that tells of its accesses tells of these.
void findGuards() {
  if (isImported("__tsan_atomic8_load") && isImported("__cxa_guard_acquire")) dl_iterate_phdr(look, nullptr);
}

bool isGuard(const volatile void* address) {
  return count != 0 && guards[slotOf(reinterpret_cast<uint64_t>(address))] != 0;
}

}  // namespace mcmini
