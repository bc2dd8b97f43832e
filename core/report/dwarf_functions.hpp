#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <vector>

namespace mcmini {

/// Does the code of the function or block include the address? As the DWARF counts, as in all that follows.
bool contains(Dwarf_Die die, Dwarf_Addr address);

/// A part of a function with variables of its own, an inlined function for instance.
bool isBlock(int tag);

/// The function at the address, which is not an inlined one.
std::optional<Dwarf_Die> functionIn(Dwarf_Die scope, Dwarf_Addr address);

/// The functions that were inlined at the address, innermost first, and the one into which they were.
std::vector<Dwarf_Die> functionsAt(Dwarf_Die unit, Dwarf_Addr address);

}  // namespace mcmini
