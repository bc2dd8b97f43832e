#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace mcmini {

/// What of a program's synchronization the checker sees.
struct Control {
  std::vector<std::filesystem::path>
      modules;                         ///< The program, then its libraries, without those of the language.
  std::set<std::string> controlled;    ///< Functions that it calls and libmcmini stands in front of.
  std::set<std::string> uncontrolled;  ///< Functions that wait or synchronize, which nobody models.
  std::vector<std::filesystem::path> unwatched;  ///< Modules that do not tell of their accesses to memory.
  bool hasOtherLocks = false;  ///< Are there any that a library makes of atomic variables of its own?
  bool sanitized = false;      ///< Were some compiled for the sanitizer's own library, and not by mcmini-cc?

  /// Do any tell of them?
  bool watchesMemory() const { return unwatched.size() < modules.size(); }
};

/// Compares what a loaded process imports with a list of the C library's functions that wait or synchronize,
/// and with what the preload library offers.
Control controlOver(pid_t process, const std::filesystem::path& preload);

}  // namespace mcmini
