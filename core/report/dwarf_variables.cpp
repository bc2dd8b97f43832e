#include "core/report/dwarf_variables.hpp"

#include <dwarf.h>

#include <algorithm>

#include "core/report/dwarf_die.hpp"
#include "core/report/dwarf_names.hpp"
#include "core/report/elf_symbol.hpp"
#include "core/report/plain_name.hpp"
#include "core/report/system_code.hpp"

namespace mcmini {
namespace {

std::string plus(Dwarf_Word offset) {
  return offset == 0 ? "" : "+" + std::to_string(offset);
}

bool hasFlag(Dwarf_Die die, unsigned name) {
  Dwarf_Attribute attribute;
  bool set = false;
  return dwarf_formflag(dwarf_attr(&die, name, &attribute), &set) == 0 && set;
}

/// The address of a variable that has the same one in every thread and call.
std::optional<Dwarf_Addr> fixedAddress(Dwarf_Die variable) {
  Dwarf_Attribute location;
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&variable, DW_AT_location, &location) == nullptr ||
      dwarf_getlocation(&location, &ops, &count) != 0 || count == 0 || count > 2)
    return std::nullopt;
  if (count == 2 && ops[1].atom != DW_OP_plus_uconst) return std::nullopt;
  Dwarf_Word offset = count == 2 ? ops[1].number : 0;
  if (ops[0].atom == DW_OP_addr) return ops[0].number + offset;
  Dwarf_Attribute indexed;
  Dwarf_Addr address = 0;
  bool isIndexed = ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index;
  if (!isIndexed || dwarf_getlocation_attr(&location, &ops[0], &indexed) != 0 ||
      dwarf_formaddr(&indexed, &address) != 0)
    return std::nullopt;
  return address + offset;
}

bool isLibraryType(Dwarf_Die type) {
  const char* file = dwarf_decl_file(&type);
  return (file != nullptr && isSystemFile(file)) || qualifiedName(type).starts_with("std::");
}

bool isStdArray(Dwarf_Die type) {
  std::string name = ownName(type);
  return (name == "array" || name.starts_with("array<")) && qualifiedName(type).starts_with("std::");
}

/// How many elements each dimension has; 0 if it does not say.
std::vector<Dwarf_Word> dimensions(Dwarf_Die array) {
  std::vector<Dwarf_Word> counts;
  findChild(array, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return false;
    auto last = number(child, DW_AT_upper_bound);
    counts.push_back(last ? *last + 1 : number(child, DW_AT_count).value_or(0));
    return false;
  });
  return counts;
}

bool isDataMember(Dwarf_Die die) {
  int tag = dwarf_tag(&die);
  if (tag == DW_TAG_inheritance) return true;
  return tag == DW_TAG_member && !hasFlag(die, DW_AT_external) && !hasFlag(die, DW_AT_declaration) &&
         !hasFlag(die, DW_AT_artificial) && !dwarf_hasattr(&die, DW_AT_bit_size);
}

std::optional<Dwarf_Word> startOf(Dwarf_Die member) {
  if (!dwarf_hasattr(&member, DW_AT_data_member_location)) return 0;
  return number(member, DW_AT_data_member_location);  // a virtual base has none
}

}  // namespace

DwarfVariables::DwarfVariables(Dwfl_Module* module)
    : module_(module), dwarf_(dwfl_module_getdwarf(module, &bias_)) {
  if (dwarf_ == nullptr) return;
  findUnit(dwarf_, [this](Dwarf_Die unit) {
    collect(unit);
    return false;
  });
  std::ranges::stable_sort(variables_, {}, &Variable::address);
}

void DwarfVariables::collect(Dwarf_Die scope) {
  findChild(scope, [this](Dwarf_Die child) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable)
      add(child);
    else if (tag == DW_TAG_namespace || tag == DW_TAG_lexical_block || isFunction(tag) || isStruct(tag))
      collect(child);
    return false;
  });
}

void DwarfVariables::add(Dwarf_Die variable) {
  if (auto address = fixedAddress(variable)) variables_.push_back({*address, variable});
}

std::string DwarfVariables::nameAt(std::uint64_t address) const {
  Dwarf_Addr wanted = address - bias_;
  auto above = std::ranges::upper_bound(variables_, wanted, {}, &Variable::address);
  if (above == variables_.begin()) return "";
  Dwarf_Addr start = (above - 1)->address;
  ElfSymbol symbol = variableSymbol(module_, start + bias_).value_or(ElfSymbol{});
  for (auto at = std::ranges::lower_bound(variables_, start, {}, &Variable::address); at != above; ++at) {
    auto whole = partOf(at->die, symbol.size);
    if (!whole || wanted - start >= whole->size) continue;
    std::string name = qualifiedName(at->die);
    // clang may forget the name of the function around an inlined function's static variable.
    bool functionForgotten = symbol.name.starts_with("_ZZ") && name.find("::") == std::string::npos;
    return (functionForgotten ? plainName(symbol.name) : name) + pathInto(*whole, wanted - start);
  }
  return "";
}

std::string DwarfVariables::nameIn(Dwarf_Die variable, Dwarf_Word offset) const {
  constexpr Dwarf_Word kIfUnknown = 1;  // clang leaves it to the library to describe the library's classes
  auto whole = partOf(variable, kIfUnknown);
  std::string name = ownName(variable);
  return !whole || offset >= whole->size || name.empty() ? "" : name + pathInto(*whole, offset);
}

std::optional<DwarfVariables::Part> DwarfVariables::partOf(Dwarf_Die typed, Dwarf_Word sizeIfUnknown) const {
  auto type = reference(typed, DW_AT_type);
  if (!type) return std::nullopt;
  Part part{*type, sizeIfUnknown};
  dwarf_peel_type(&part.type, &part.type);
  if (isStruct(dwarf_tag(&part.type)) && hasFlag(part.type, DW_AT_declaration))
    part.type = definitionOf(part.type).value_or(part.type);
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&part.type, &size) == 0 && size != 0) part.size = size;
  return part;
}

/// clang describes a class only in the unit that has its constructor.
std::optional<Dwarf_Die> DwarfVariables::definitionOf(Dwarf_Die declaration) const {
  std::string name = ownName(declaration);
  std::string qualified = qualifiedName(declaration);
  std::optional<Dwarf_Die> found;
  auto isIn = [&](auto& self, Dwarf_Die scope) -> bool {
    return findChild(scope, [&](Dwarf_Die child) {
      int tag = dwarf_tag(&child);
      if (isStruct(tag) && ownName(child) == name && !hasFlag(child, DW_AT_declaration) &&
          qualifiedName(child) == qualified)
        found = child;
      return found || ((tag == DW_TAG_namespace || isStruct(tag)) && self(self, child));
    });
  };
  findUnit(dwarf_, [&](Dwarf_Die unit) { return isIn(isIn, unit); });
  return found;
}

std::string DwarfVariables::pathInto(Part whole, Dwarf_Word offset) const {
  int tag = dwarf_tag(&whole.type);
  if (tag == DW_TAG_array_type) return pathIntoArray(whole, offset);
  if (!isStruct(tag) || (isLibraryType(whole.type) && !isStdArray(whole.type))) return plus(offset);
  return pathIntoStruct(whole, offset);
}

std::string DwarfVariables::pathIntoArray(Part array, Dwarf_Word offset) const {
  std::vector<Dwarf_Word> counts = dimensions(array.type);
  Dwarf_Word elements = 1;
  for (Dwarf_Word count : counts) elements *= count;
  auto element = partOf(array.type, elements == 0 ? 0 : array.size / elements);
  if (!element || element->size == 0 || counts.empty()) return plus(offset);

  Dwarf_Word index = offset / element->size;
  std::string indices;
  for (std::size_t dimension = counts.size(); dimension-- > 1;) {
    Dwarf_Word count = std::max<Dwarf_Word>(counts[dimension], 1);
    indices = "[" + std::to_string(index % count) + "]" + indices;
    index /= count;
  }
  return "[" + std::to_string(index) + "]" + indices + pathInto(*element, offset % element->size);
}

std::string DwarfVariables::pathIntoStruct(Part whole, Dwarf_Word offset) const {
  bool isArray = isStdArray(whole.type);
  std::vector<Member> all = members(whole);
  // A struct around a number is there to have a type of its own.
  if (all.size() == 1 && dwarf_tag(&all[0].part.type) == DW_TAG_base_type) return plus(offset);
  for (Member member : all) {
    if (offset < member.start || offset - member.start >= member.part.size) continue;
    bool nameless = isArray || dwarf_tag(&member.die) == DW_TAG_inheritance;
    std::string name = nameless ? "" : ownName(member.die);
    return (name.empty() ? "" : "." + name) + pathInto(member.part, offset - member.start);
  }
  return plus(offset);
}

/// The members of a struct, then its bases: an empty base shares its address with a member.
std::vector<DwarfVariables::Member> DwarfVariables::members(Part whole) const {
  std::vector<Member> found;
  findChild(whole.type, [&](Dwarf_Die child) {
    if (!isDataMember(child)) return false;
    auto start = startOf(child);
    auto part = partOf(child, 0);
    if (start && part) found.push_back({child, *start, *part});
    return false;
  });
  for (Member& member : found) {
    if (member.part.size != 0) continue;
    Dwarf_Word end = whole.size;
    for (const Member& other : found)
      if (other.start > member.start) end = std::min(end, other.start);
    member.part.size = end > member.start ? end - member.start : 0;
  }
  std::stable_partition(found.begin(), found.end(),
                        [](Member& member) { return dwarf_tag(&member.die) != DW_TAG_inheritance; });
  return found;
}

}  // namespace mcmini
