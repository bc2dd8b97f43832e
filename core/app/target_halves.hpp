#pragma once

#include <filesystem>
#include <vector>

#include "core/app/installation.hpp"
#include "core/plugin/plugin_set.hpp"
#include "core/target/control.hpp"

namespace mcmini {

/// The libraries with the functions that programs call, of those plugins that are not built in: libNAME.so
/// beside NAME.so, or where the ready ones are. The program may be linked with them already.
std::vector<std::filesystem::path> targetHalves(const PluginSet& plugins, const Installation& installation);

/// Throws PluginError if the program has nothing that could announce a plugin's operations.
void requireTargetHalves(const PluginSet& plugins, const Installation& installation, const Control& control);

}  // namespace mcmini
