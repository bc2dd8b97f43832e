#pragma once

// The one header that a plugin includes.

#include "core/model/catalog.hpp"

namespace mcmini {

/// Changes whenever a plugin that was built before would misunderstand the checker.
inline constexpr std::uint32_t kPluginApiVersion = 1;

/// What a plugin exports, as the variable `mcmini_plugin`. The first two members never change their place, so
/// that a plugin of any version can be told apart from a file that is none.
struct PluginDescriptor {
  char magic[8];  ///< "mcmini\n"
  std::uint32_t apiVersion;
  const char* name;
  void (*fill)(Catalog& catalog);
};

}  // namespace mcmini

/// Defines the plugin; the body that follows adds its operations to the catalog:
///
///     MCMINI_PLUGIN("gate", catalog) {
///       catalog.add<Open>("gate.open");
///     }
#define MCMINI_PLUGIN(NAME, CATALOG)                                                                 \
  static void mcmini_fill(mcmini::Catalog& CATALOG);                                                 \
  extern "C" __attribute__((visibility("default"))) const mcmini::PluginDescriptor mcmini_plugin = { \
      {'m', 'c', 'm', 'i', 'n', 'i', '\n', 0}, mcmini::kPluginApiVersion, NAME, &mcmini_fill};       \
  static void mcmini_fill(mcmini::Catalog& CATALOG)
