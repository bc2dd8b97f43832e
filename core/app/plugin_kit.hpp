#pragma once

#include "core/app/errors.hpp"
#include "core/app/options.hpp"

namespace mcmini {

/// `mcmini plugin build FILE.cpp [COMPILER OPTIONS...]`: compiles both halves of a plugin into the current
/// directory.
ExitCode buildPlugin(const Options& options);

/// `mcmini plugin new NAME`: writes a plugin that works, to begin with, into a new directory of that name.
ExitCode newPlugin(const Options& options);

}  // namespace mcmini
