#include "core/report/dwarf_functions.hpp"

#include <dwarf.h>

#include <algorithm>

#include "core/report/dwarf_die.hpp"

namespace mcmini {

bool contains(Dwarf_Die die, Dwarf_Addr address) {
  return dwarf_haspc(&die, address) > 0;
}

bool isBlock(int tag) {
  return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block;
}

std::optional<Dwarf_Die> functionIn(Dwarf_Die scope, Dwarf_Addr address) {
  std::optional<Dwarf_Die> found;
  findChild(scope, [&](Dwarf_Die child) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram && contains(child, address))
      found = child;
    else if (tag == DW_TAG_namespace || tag == DW_TAG_lexical_block || tag == DW_TAG_subprogram ||
             isStruct(tag))
      found = functionIn(child, address);
    return found.has_value();
  });
  return found;
}

namespace {

/// Adds the functions that were inlined at the address, outermost first.
void addInlined(std::vector<Dwarf_Die>& functions, Dwarf_Die scope, Dwarf_Addr address) {
  findChild(scope, [&](Dwarf_Die child) {
    int tag = dwarf_tag(&child);
    if (!isBlock(tag) || !contains(child, address)) return false;
    if (tag == DW_TAG_inlined_subroutine) functions.push_back(child);
    addInlined(functions, child, address);
    return true;
  });
}

}  // namespace

std::vector<Dwarf_Die> functionsAt(Dwarf_Die unit, Dwarf_Addr address) {
  auto function = functionIn(unit, address);
  if (!function) return {};
  std::vector<Dwarf_Die> functions = {*function};
  addInlined(functions, *function, address);
  std::ranges::reverse(functions);
  return functions;
}

}  // namespace mcmini
