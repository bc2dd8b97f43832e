#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mcmini {

/// The variables that a module's debug information knows: the global and static ones by address.
class DwarfVariables {
 public:
  /// Reads all names of the module, once: milliseconds for a program that fits a screen, more for a large
  /// one.
  explicit DwarfVariables(Dwfl_Module* module);

  /// What Symbolizer::variable says, but "" for a variable that only the symbol table knows.
  std::string nameAt(std::uint64_t address) const;

  /// What is so many bytes into a variable of any kind: "alice.lock"; "" if it ends before.
  std::string nameIn(Dwarf_Die variable, Dwarf_Word offset) const;

 private:
  struct Variable {
    Dwarf_Addr address;
    Dwarf_Die die;
  };
  /// Something inside a variable: a type and the bytes it covers, which clang does not always say.
  struct Part {
    Dwarf_Die type;
    Dwarf_Word size;
  };
  struct Member {
    Dwarf_Die die;
    Dwarf_Word start;
    Part part;
  };

  void collect(Dwarf_Die scope);
  void add(Dwarf_Die variable);
  std::string pathInto(Part whole, Dwarf_Word offset) const;
  std::string pathIntoArray(Part array, Dwarf_Word offset) const;
  std::string pathIntoStruct(Part whole, Dwarf_Word offset) const;
  std::vector<Member> members(Part whole) const;
  std::optional<Part> partOf(Dwarf_Die typed, Dwarf_Word sizeIfUnknown) const;
  std::optional<Dwarf_Die> definitionOf(Dwarf_Die declaration) const;

  Dwfl_Module* module_;
  Dwarf_Addr bias_ = 0;              // what the process adds to the addresses in the DWARF
  Dwarf* dwarf_;                     // null if there is none
  std::vector<Variable> variables_;  // sorted by address
};

}  // namespace mcmini
