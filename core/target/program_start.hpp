#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mcmini {

struct ForkTargetOptions;

/// Descriptors from here on are out of the way of what the program opens.
constexpr int kHighDescriptor = 500;

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
