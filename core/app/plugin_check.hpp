#pragma once

#include "core/app/errors.hpp"
#include "core/app/options.hpp"

namespace mcmini {

/// `mcmini plugin check FILE.so`: holds what a plugin says of its operations against what they do. Survives
/// whatever the plugin does.
ExitCode checkPlugin(const Options& options);

}  // namespace mcmini
