#pragma once

#include <string_view>

namespace mcmini {

/// Does the source file belong to the compiler or to the C or C++ library rather than to the user?
bool isSystemFile(std::string_view path);

/// Is the executable or library with this file name part of the C or C++ runtime?
bool isRuntimeModule(std::string_view fileName);

}  // namespace mcmini
