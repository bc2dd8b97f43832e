#pragma once

#include <sys/types.h>

#include <string>

namespace mcmini {

class Channel;
struct ForkTargetOptions;

/// Starts the program with libmcmini loaded into it; it says hello through the channel before its main. Its output
/// up to then goes to `capture`.
pid_t startTemplate(const ForkTargetOptions& options, const Channel& channel, int capture);

/// Ends it and all that it started.
void endTemplate(pid_t process);

/// "ended with status 3", "was ended by SIGSEGV (...)"; empty while it lives. Once ended, it is gone.
std::string howItEnded(pid_t process);

}  // namespace mcmini
