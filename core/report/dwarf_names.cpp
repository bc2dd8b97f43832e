#include "core/report/dwarf_names.hpp"

#include <dwarf.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "core/report/dwarf_die.hpp"
#include "core/report/plain_name.hpp"

namespace mcmini {
namespace {

bool givesName(int tag) {
  return tag == DW_TAG_namespace || isStruct(tag) || isFunction(tag);
}

/// A definition outside its scope, or a copy made by inlining, refers to the DIE that is in the right place.
Dwarf_Die declarationOf(Dwarf_Die die) {
  for (unsigned attribute : {DW_AT_abstract_origin, DW_AT_specification})
    if (auto original = reference(die, attribute)) die = *original;
  return die;
}

/// The DIE and what encloses it, innermost first.
std::vector<Dwarf_Die> scopesOf(Dwarf_Die die) {
  Dwarf_Die* scopes = nullptr;
  int count = dwarf_getscopes_die(&die, &scopes);
  std::unique_ptr<Dwarf_Die, decltype(&std::free)> owner(scopes, &std::free);
  return count > 0 ? std::vector<Dwarf_Die>(scopes, scopes + count) : std::vector<Dwarf_Die>{};
}

const char* linkageName(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  for (unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (dwarf_attr_integrate(&die, name, &attribute) != nullptr) return dwarf_formstring(&attribute);
  return nullptr;
}

}  // namespace

std::string ownName(Dwarf_Die die) {
  const char* name = dwarf_diename(&die);
  return name == nullptr ? "" : name;
}

std::string qualifiedName(Dwarf_Die die) {
  Dwarf_Die declaration = declarationOf(die);
  std::string name = ownName(declaration);
  for (Dwarf_Die scope : scopesOf(declaration)) {
    if (scope.addr == declaration.addr || !givesName(dwarf_tag(&scope))) continue;
    if (name == "operator()" && ownName(scope).empty()) name = "{lambda}";
    std::string prefix = isFunction(dwarf_tag(&scope)) ? functionName(scope) : qualifiedName(scope);
    return prefix + (prefix.empty() || name.empty() ? "" : "::") + name;
  }
  return name;
}

std::string functionName(Dwarf_Die die) {
  const char* linkage = linkageName(die);
  return linkage != nullptr ? plainName(linkage) : withoutClutter(qualifiedName(die));
}

std::string absolutePath(Dwarf_Die unit, const char* path) {
  if (path == nullptr || *path == '/') return path == nullptr ? "" : path;
  Dwarf_Attribute attribute;
  const char* directory = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  return directory == nullptr ? path : std::string(directory) + "/" + path;
}

std::string sourceFile(Dwarf_Die unit, Dwarf_Word index) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count) return "";
  const char* path = dwarf_filesrc(files, index, nullptr, nullptr);
  bool unknown = path == nullptr || std::string_view(path) == "???";
  return unknown ? "" : absolutePath(unit, path);
}

}  // namespace mcmini
