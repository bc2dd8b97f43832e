#pragma once

#include "core/app/errors.hpp"
#include "core/app/installation.hpp"
#include "core/app/options.hpp"
#include "core/plugin/plugin_set.hpp"

namespace mcmini {

/// The built-in plugins and those that the user named.
void loadPlugins(PluginSet& plugins, const Options& options, const Installation& installation);

/// May it be the name of a plugin that is installed, rather than a file?
bool isPluginName(const std::string& plugin);

/// The file of a ready plugin; nothing if there is none of that name.
std::optional<std::filesystem::path> readyPlugin(const std::string& name, const Installation& installation);

/// The plugin that the user means by a file, or by the name of a ready or built-in one; loads it if that has
/// not been done.
PluginSet::Loaded findPlugin(PluginSet& plugins, const std::string& named, const Installation& installation);

/// Who wakes at each kind of queue; loads the policies that the user named by their files.
Policies choosePolicies(PluginSet& plugins, const Options& options);

/// Prints what plugins there are, and what they define.
ExitCode listPlugins(const Options& options);

}  // namespace mcmini
