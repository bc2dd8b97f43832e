#pragma once

#include <filesystem>

namespace mcmini {

/// Where the parts of mcmini are, found from where its executable is: PREFIX/bin/mcmini belongs to
/// PREFIX/lib/mcmini. The build tree has the same shape.
struct Installation {
  std::filesystem::path library;      ///< libmcmini.so
  std::filesystem::path transitions;  ///< The directories of the built-in plugins.
  std::filesystem::path policies;
  std::filesystem::path plugins;         ///< Ready ones, loaded when the user names them.
  std::filesystem::path readyHalves;     ///< Where the ready ones have their functions for programs.
  std::filesystem::path headers;         ///< For plugins: mcmini/plugin.hpp.
  std::filesystem::path pluginTemplate;  ///< What a new plugin begins with.
  std::filesystem::path shared;          ///< With mcmini_gdb, the commands of mcmini gdb.
  std::filesystem::path stub;            ///< What programs are compiled with by mcmini-cc, and linked to.

  /// Throws if something is missing that every check needs.
  static Installation ofThisExecutable();
  /// Whether it is there or not.
  static Installation aroundThisExecutable();
};

}  // namespace mcmini
