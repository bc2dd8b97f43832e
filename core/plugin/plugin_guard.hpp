#pragma once

#include <filesystem>
#include <string>

namespace mcmini {

/// Finds out which plugin is to blame where the checker itself comes to harm: for a crash, an endless loop or
/// an exception in a plugin's code.
class PluginGuard {
 public:
  /// From now on, a crash ends the process with a sentence that names the plugin, and so does a plugin that
  /// is not `trusted` and does not come back for some seconds. Ends with `exitCode`.
  static void watch(int exitCode);

  /// Leaves everything to its course again, in a process that somebody else looks after.
  static void leave();

  /// What happens while it lives is the file's own doing.
  class Loading {
   public:
    explicit Loading(const std::filesystem::path& file);
    ~Loading();
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;
  };

  /// `inside`: an address of something that it defines.
  static void loaded(const std::filesystem::path& file, const void* inside);

  /// Plugins of this directory are not watched for endless loops: what they are asked may take long.
  static void trust(const std::filesystem::path& directory);

  /// The file of the plugin that threw the exception which was thrown last; empty if it was none.
  static std::string thrower();
};

}  // namespace mcmini
