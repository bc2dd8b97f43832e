#pragma once

#include <cstdint>
#include <vector>

#include "core/search/target.hpp"
#include "core/target/channel.hpp"
#include "core/target/fork_target.hpp"

namespace mcmini {

/// A step of a run that a debugger shows.
struct DebuggedStep {
  Step step;
  NameId operation{};
  bool comesToNone = false;  ///< Then its thread comes to no operation by itself, and is interrupted.
};

/// A run that a debugger shows.
struct DebuggedRun {
  std::vector<DebuggedStep> steps;
  bool comesToNone = false;           ///< Main does not reach the first one.
  std::vector<MemoryRange> promoted;  ///< Where accesses are steps.
};

/// Writes down all that it takes to start the program under a debugger, over and over: it takes these steps
/// by itself and calls mcmini_at_step where a debugger may look. Returns a descriptor, which like others that
/// it stands for is inherited by what this process becomes.
int prepareDebuggee(const ForkTargetOptions& options, const wire::Settings& settings, const DebuggedRun& run);

struct DebuggeeStart {
  int prepared;          ///< What prepareDebuggee returned.
  std::uint32_t stopAt;  ///< The first step after which the debugger looks.
  bool quiet;            ///< Nothing is seen of the program's output before.
};

/// The calling process becomes the program. Returns if that fails, and errno tells why.
void becomeDebuggee(const DebuggeeStart& start);

}  // namespace mcmini
