#pragma once

#include <string>
#include <string_view>

namespace mcmini {

/// The symbol of a function or a variable as its author would say it: `_ZN4Pool4workEi` is "Pool::work",
/// `work.part.0` is "work", a lambda in main is "main::{lambda}". No parameters, return types, template
/// arguments or anonymous namespaces.
std::string plainName(std::string_view symbol);

/// The same for a name that is C++ already: "void Pool::work<int>(int) const" is "Pool::work".
std::string withoutClutter(std::string_view demangled);

}  // namespace mcmini
