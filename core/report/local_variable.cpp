#include "core/report/local_variable.hpp"

#include <dwarf.h>

#include <optional>

#include "core/report/dwarf_die.hpp"
#include "core/report/dwarf_functions.hpp"

namespace mcmini {
namespace {

/// Looks through the variables of a function that live at a place of its code.
class Search {
 public:
  Search(const DwarfVariables& variables, Dwarf_Addr pc, const Frame& frame, std::uint64_t address)
      : variables_(variables), pc_(pc), frame_(frame), address_(address) {}

  std::string in(Dwarf_Die function) {
    base_ = placeIn(function, DW_AT_frame_base);
    return inBlock(function);
  }

 private:
  std::string inBlock(Dwarf_Die block) const {
    std::string found;
    findChild(block, [&](Dwarf_Die child) {
      int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
        found = nameIn(child);
      else if (isBlock(tag) && contains(child, pc_))
        found = inBlock(child);
      return !found.empty();
    });
    return found;
  }

  std::string nameIn(Dwarf_Die variable) const {
    auto begin = placeIn(variable, DW_AT_location);
    return begin && *begin <= address_ ? variables_.nameIn(variable, address_ - *begin) : "";
  }

  std::optional<std::uint64_t> placeIn(Dwarf_Die die, unsigned name) const {
    Dwarf_Attribute attribute;
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    if (dwarf_attr_integrate(&die, name, &attribute) == nullptr ||
        dwarf_getlocation_addr(&attribute, pc_, &ops, &count, 1) != 1 || count != 1)
      return std::nullopt;
    return placeOf(*ops, name == DW_AT_frame_base);
  }

  /// What is in a register has no address, except that a frame's base is one.
  std::optional<std::uint64_t> placeOf(const Dwarf_Op& op, bool isBase) const {
    switch (op.atom) {
      case DW_OP_fbreg:
        return isBase ? std::nullopt : plus(base_, op.number);
      case DW_OP_call_frame_cfa:
        return frame_.end;
      case DW_OP_breg6:
        return plus(frame_.basePointer, op.number);
      case DW_OP_breg7:
        return plus(frame_.stackPointer, op.number);
      case DW_OP_reg6:
        return isBase ? frame_.basePointer : std::nullopt;
      case DW_OP_reg7:
        return isBase ? frame_.stackPointer : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  static std::optional<std::uint64_t> plus(std::optional<std::uint64_t> begin, Dwarf_Word offset) {
    return begin ? std::optional(*begin + offset) : std::nullopt;
  }

  const DwarfVariables& variables_;
  Dwarf_Addr pc_;
  const Frame& frame_;
  std::uint64_t address_;
  std::optional<std::uint64_t> base_;
};

}  // namespace

std::string localVariable(const DwarfVariables& variables, const CompiledUnit& place, const Frame& frame,
                          std::uint64_t address) {
  auto function = functionIn(place.die, place.address);
  return function ? Search(variables, place.address, frame, address).in(*function) : "";
}

}  // namespace mcmini
