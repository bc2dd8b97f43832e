#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mcmini {

struct ForkTargetOptions;

/// Copies a descriptor to a number that is out of the way of what the program opens, by F_DUPFD or
/// F_DUPFD_CLOEXEC; throws TargetError.
int inheritedAs(int how, int descriptor);

/// How the program is started with libmcmini loaded into it.
struct ProgramStart {
  std::string program;
  std::vector<std::string> arguments;  ///< The program's own name is the first.
  std::vector<std::string> environment;
};

/// Opens libmcmini for the program to inherit; throws TargetError.
int openPreload(const ForkTargetOptions& options);

/// `channel` and `preload`: descriptors that it inherits. `bindNow`: it looks up all functions when it
/// starts.
ProgramStart startOf(const ForkTargetOptions& options, int channel, int preload, bool bindNow);

/// The calling process becomes the program, as a shell would start it; its addresses are not random. Returns
/// if it cannot be started, and errno tells why.
void become(const ProgramStart& start);

}  // namespace mcmini
