#include "core/report/elf_symbol.hpp"

namespace mcmini {
namespace {

struct Found {
  ElfSymbol symbol;
  int type;
};

std::optional<Found> find(Dwfl_Module* module, std::uint64_t address) {
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr) return std::nullopt;
  return Found{{name, offset, symbol.st_size}, GELF_ST_TYPE(symbol.st_info)};
}

}  // namespace

std::optional<ElfSymbol> functionSymbol(Dwfl_Module* module, std::uint64_t address) {
  auto found = find(module, address);
  if (!found || (found->type != STT_FUNC && found->type != STT_GNU_IFUNC && found->type != STT_NOTYPE))
    return std::nullopt;
  bool contains = found->symbol.size == 0 || found->symbol.offset < found->symbol.size;
  return contains ? std::optional(found->symbol) : std::nullopt;
}

std::optional<ElfSymbol> variableSymbol(Dwfl_Module* module, std::uint64_t address) {
  auto found = find(module, address);
  if (!found || (found->type != STT_OBJECT && found->type != STT_COMMON)) return std::nullopt;
  return found->symbol.offset < found->symbol.size ? std::optional(found->symbol) : std::nullopt;
}

}  // namespace mcmini
