#pragma once

#include "core/app/options.hpp"

namespace mcmini {

/// How to set what goes to stdout: as the user wants it, else as the terminal is, if it is one.
Style styleFor(const Options& options);

/// Those of the terminal behind a descriptor, 80 if there is none.
std::size_t columnsOf(int descriptor);

/// Is it a terminal that knows colours, and can erase what was written?
bool takesControls(int descriptor);

}  // namespace mcmini
