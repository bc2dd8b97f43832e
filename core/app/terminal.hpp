#pragma once

#include "core/app/options.hpp"

namespace mcmini {

/// How to set what goes to stdout: as the user wants it, else as the terminal is, if it is one.
Style styleFor(const Options& options);

}  // namespace mcmini
