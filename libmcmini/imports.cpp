#include "libmcmini/imports.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

namespace mcmini {

namespace {

struct Module {
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const Elf64_Rela* relocations[2] = {};  // of calls, of everything else
  size_t sizes[2] = {};
};

// The loader has turned the addresses of a module's tables into real ones, but for those of the kernel's own.
Module read(const dl_phdr_info& info) {
  Module module;
  const Elf64_Dyn* entry = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const Elf64_Dyn*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    auto* table = reinterpret_cast<const void*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) module.symbols = static_cast<const Elf64_Sym*>(table);
    if (entry->d_tag == DT_STRTAB) module.names = static_cast<const char*>(table);
    if (entry->d_tag == DT_JMPREL) module.relocations[0] = static_cast<const Elf64_Rela*>(table);
    if (entry->d_tag == DT_PLTRELSZ) module.sizes[0] = entry->d_un.d_val;
    if (entry->d_tag == DT_RELA) module.relocations[1] = static_cast<const Elf64_Rela*>(table);
    if (entry->d_tag == DT_RELASZ) module.sizes[1] = entry->d_un.d_val;
  }
  return module;
}

struct Wanted {
  const char* const* functions;
  size_t count;
  const char* found = nullptr;

  bool contains(const char* name) {
    for (size_t i = 0; i < count && found == nullptr; ++i)
      if (strcmp(functions[i], name) == 0) found = functions[i];
    return found != nullptr;
  }
};

bool imports(const Module& module, Wanted& wanted) {
  if (module.symbols == nullptr || module.names == nullptr) return false;
  for (int i = 0; i < 2; ++i)
    for (size_t j = 0; j < module.sizes[i] / sizeof(Elf64_Rela); ++j) {
      const Elf64_Sym& symbol = module.symbols[ELF64_R_SYM(module.relocations[i][j].r_info)];
      if (symbol.st_shndx == SHN_UNDEF && wanted.contains(module.names + symbol.st_name)) return true;
    }
  return false;
}

// This very library has wrappers of its own to call.
bool isOurs(const dl_phdr_info& info) {
  Dl_info own = {};
  dladdr(reinterpret_cast<void*>(isOurs), &own);
  return info.dlpi_addr == reinterpret_cast<ElfW(Addr)>(own.dli_fbase);
}

int look(dl_phdr_info* info, size_t, void* wanted) {
  bool isKernels = strstr(info->dlpi_name, "vdso") != nullptr;
  return !isKernels && !isOurs(*info) && imports(read(*info), *static_cast<Wanted*>(wanted)) ? 1 : 0;
}

}  // namespace

const char* findImported(const char* const* functions, size_t count) {
  Wanted wanted{functions, count};
  dl_iterate_phdr(look, &wanted);
  return wanted.found;
}

}  // namespace mcmini
