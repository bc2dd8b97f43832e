#pragma once

// The one header of a plugin, installed as <mcmini/plugin.hpp>. A plugin's file holds the model of its
// operations, for the checker, and the functions that announce them, for the program. It is compiled twice:
// into NAME.so, and with MCMINI_TARGET_HALF defined into libNAME.so.

#include "core/model/catalog.hpp"
#include "plugins/operation_on.hpp"
#include "plugins/wrapper.hpp"

namespace mcmini {

/// Changes whenever a plugin that was built before would misunderstand the checker.
inline constexpr std::uint32_t kPluginApiVersion = 5;

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
#ifdef MCMINI_TARGET_HALF
// A template that nobody uses: nothing of the model gets into the program.
#define MCMINI_PLUGIN(NAME, CATALOG) \
  template <class>                   \
  [[maybe_unused]] static void mcmini_fill(mcmini::Catalog& CATALOG)
#else
#define MCMINI_PLUGIN(NAME, CATALOG)                                                                 \
  static void mcmini_fill(mcmini::Catalog& CATALOG);                                                 \
  extern "C" __attribute__((visibility("default"))) const mcmini::PluginDescriptor mcmini_plugin = { \
      {'m', 'c', 'm', 'i', 'n', 'i', '\n', 0}, mcmini::kPluginApiVersion, NAME, &mcmini_fill};       \
  static void mcmini_fill(mcmini::Catalog& CATALOG)
#endif
