#pragma once

#include "core/app/errors.hpp"
#include "core/app/options.hpp"

namespace mcmini {

/// Explores a program as the options say and prints what comes of it.
ExitCode check(const Options& options);

/// Tells what of a program the checker sees, without running it.
ExitCode doctor(const Options& options);

}  // namespace mcmini
