#pragma once

#include <elfutils/libdw.h>

#include <optional>

namespace mcmini {

/// Is it a function, or an inlined copy of one?
bool isFunction(int tag);

/// Is it a struct, a class or a union?
bool isStruct(int tag);

/// An attribute that is a number, looked up in the DIE itself.
std::optional<Dwarf_Word> number(Dwarf_Die die, unsigned attribute);

/// The DIE that an attribute refers to; looked up in the DIE, its declaration and its abstract origin.
std::optional<Dwarf_Die> reference(Dwarf_Die die, unsigned attribute);

/// Calls visit(Dwarf_Die) for each child until it returns true. Did it?
template <class Visitor>
bool findChild(Dwarf_Die parent, Visitor visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return false;
  do {
    if (visit(child)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

/// Calls visit(Dwarf_Die) for each unit until it returns true. Did it?
template <class Visitor>
bool findUnit(Dwarf* dwarf, Visitor visit) {
  Dwarf_CU* at = nullptr;
  Dwarf_Die unit;
  while (dwarf_get_units(dwarf, at, &at, nullptr, nullptr, &unit, nullptr) == 0)
    if (visit(unit)) return true;
  return false;
}

}  // namespace mcmini
