#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <optional>
#include <string>

namespace mcmini {

/// What the symbol table of a module says about an address.
struct ElfSymbol {
  std::string name;          ///< As the linker knows it.
  std::uint64_t offset = 0;  ///< How far into it the address is.
  std::uint64_t size = 0;
};

/// The function that contains the address. One written in assembler may have no size.
std::optional<ElfSymbol> functionSymbol(Dwfl_Module* module, std::uint64_t address);

/// The variable that contains the address.
std::optional<ElfSymbol> variableSymbol(Dwfl_Module* module, std::uint64_t address);

}  // namespace mcmini
