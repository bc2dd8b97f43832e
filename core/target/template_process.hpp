#pragma once

#include <sys/types.h>

#include <string>

namespace mcmini {

class Channel;
struct ForkTargetOptions;

struct TemplateStart {
  int capture;   ///< Where the program's output goes until it has said hello.
  bool bindNow;  ///< Look all functions up once in the template, not in each run when they are first called.
};

/// Starts the program with libmcmini loaded into it; it says hello through the channel before its main.
pid_t startTemplate(const ForkTargetOptions& options, const Channel& channel, TemplateStart how);

/// Ends it and all that it started.
void endTemplate(pid_t process);

/// "ended with status 3", "was ended by SIGSEGV (...)"; empty while it lives. Once ended, it is gone.
std::string howItEnded(pid_t process);

}  // namespace mcmini
