#pragma once

#include <string>
#include <vector>

#include "core/app/errors.hpp"
#include "core/app/installation.hpp"
#include "core/report/walkthrough.hpp"
#include "core/target/fork_target.hpp"

namespace mcmini {

/// What is needed to walk through a finding with gdb.
struct GdbWalk {
  std::string headline;
  Finding finding;
  Walkthrough words;
  bool hasDebugInfo = true;
};

/// The gdb of this machine, of which it is known that it can run our commands. Throws UsageError.
std::string findGdb();

/// Writes down, in memory, all that gdb and the program under it need. Returns the command line of gdb. What
/// was written goes away with gdb.
std::vector<std::string> gdbCommand(const std::string& gdb, const GdbWalk& walk,
                                    const ForkTargetOptions& program, const wire::Settings& settings,
                                    const Installation& installation);

/// This process becomes gdb.
[[noreturn]] void becomeGdb(const std::vector<std::string>& command);

/// What gdb starts in place of the program: becomes the program, in the way that gdbCommand wrote down.
int startUnderGdb(int argc, const char* const* argv);

/// The first argument of mcmini when gdb starts it.
constexpr const char* kStartUnderGdb = "--start-under-gdb";

}  // namespace mcmini
