#pragma once

#include "core/app/errors.hpp"
#include "core/app/options.hpp"

namespace mcmini {

/// `mcmini gdb FILE|N [GDB-ARGUMENTS...]`: becomes gdb, with commands to walk through the schedule of a saved
/// bug. Returns if the bug does not show.
ExitCode debug(const Options& options);

/// What gdb starts in place of the program: becomes the program, in the way that gdbCommand wrote down.
int startUnderGdb(int argc, const char* const* argv);

/// The first argument of mcmini when gdb starts it.
constexpr const char* kStartUnderGdb = "--start-under-gdb";

}  // namespace mcmini
