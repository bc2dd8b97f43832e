#include "libmcmini/imports.h"

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

bool imports(const Module& module, const char* function) {
  if (module.symbols == nullptr || module.names == nullptr) return false;
  for (int i = 0; i < 2; ++i)
    for (size_t j = 0; j < module.sizes[i] / sizeof(Elf64_Rela); ++j) {
      const Elf64_Sym& symbol = module.symbols[ELF64_R_SYM(module.relocations[i][j].r_info)];
      if (symbol.st_shndx == SHN_UNDEF && strcmp(module.names + symbol.st_name, function) == 0) return true;
    }
  return false;
}

int look(dl_phdr_info* info, size_t, void* function) {
  bool isKernels = strstr(info->dlpi_name, "vdso") != nullptr;
  return !isKernels && imports(read(*info), static_cast<const char*>(function)) ? 1 : 0;
}

}  // namespace

bool isImported(const char* function) {
  return dl_iterate_phdr(look, const_cast<char*>(function)) != 0;
}

}  // namespace mcmini
