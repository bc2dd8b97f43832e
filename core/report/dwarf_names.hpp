#pragma once

#include <elfutils/libdw.h>

#include <string>

namespace mcmini {

/// The DIE's name within its scope; "" if it has none.
std::string ownName(Dwarf_Die die);

/// The name with its namespaces, classes and functions: "Singleton::instance_", "work::lock". Anonymous
/// scopes are left out.
std::string qualifiedName(Dwarf_Die die);

/// The name of a function or of an inlined call, as plainName has it.
std::string functionName(Dwarf_Die die);

/// The source file with the number `index` in the unit's table, as an absolute path; "" if there is none.
std::string sourceFile(Dwarf_Die unit, Dwarf_Word index);

/// Makes a path of the unit absolute.
std::string absolutePath(Dwarf_Die unit, const char* path);

}  // namespace mcmini
