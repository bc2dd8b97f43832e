#include "core/report/dwarf_die.hpp"

#include <dwarf.h>

namespace mcmini {

bool isFunction(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

bool isStruct(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

std::optional<Dwarf_Word> number(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(&die, attribute, &found), &value) != 0) return std::nullopt;
  return value;
}

std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Die target;
  if (dwarf_formref_die(dwarf_attr_integrate(&die, attribute, &found), &target) == nullptr)
    return std::nullopt;
  return target;
}

}  // namespace mcmini
