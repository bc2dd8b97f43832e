#include "core/app/plugins.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>

#include "core/app/nearest.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

UsageError noSuchPolicy(const PluginSet& plugins, const std::string& name) {
  std::string list;
  for (const auto& [policy, entry] : plugins.catalog().policies())
    list += (list.empty() ? "" : ", ") + policy;
  return UsageError(
      fmt::format("there is no wakeup policy '{}'; there are {}, or the path of a policy plugin (./{}{}).",
                  name, list, name, name.ends_with(".so") ? "" : ".so"));
}

/// The file of a plugin: a ready one may be named without its place.
fs::path locate(const fs::path& plugin, const Installation& installation) {
  return readyPlugin(plugin.string(), installation).value_or(plugin);
}

/// The plugin that this file was loaded as; loads it if that has not been done.
PluginSet::Loaded loadOnce(PluginSet& plugins, const fs::path& file) {
  std::error_code unknown;
  for (const auto& plugin : plugins.loaded())
    if (fs::equivalent(plugin.file, file, unknown)) return plugin;
  plugins.loadFile(file);
  return plugins.loaded().back();
}

/// A policy by its name, or the one that a plugin file defines.
std::shared_ptr<const WakeupPolicy> findPolicy(PluginSet& plugins, const std::string& name) {
  if (auto known = plugins.catalog().policy(name)) return known;
  if (name.find('/') == std::string::npos) throw noSuchPolicy(plugins, name);
  std::string plugin = loadOnce(plugins, name).name;
  for (const auto& [policy, entry] : plugins.catalog().policies())
    if (entry.plugin == plugin) return entry.policy;
  throw UsageError(name + " is a plugin, but it defines no wakeup policy.");
}

UsageError noSuchPlugin(const PluginSet& plugins, const std::string& name, const Installation& installation) {
  std::vector<std::string> known;
  for (const auto& plugin : plugins.loaded()) known.push_back(plugin.name);
  for (const auto& entry : fs::directory_iterator(installation.plugins))
    known.push_back(entry.path().stem().string());
  std::string meant = nearest(name, known);
  return UsageError(fmt::format(
      "there is no plugin '{}'{}", name,
      meant.empty() ? ", and no such file. See mcmini plugin list." : "; did you mean '" + meant + "'?"));
}

struct Row {
  std::string name;
  std::string words;
  std::string file;
};

void print(const std::string& title, const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  fmt::print("{}\n", title);
  for (const Row& row : rows)
    fmt::print("  {:<{}}  {}\n  {:<{}}  {}\n", row.name, width, row.words, "", width, row.file);
}

std::vector<Row> policiesOf(const PluginSet& plugins) {
  std::vector<Row> rows;
  for (const auto& plugin : plugins.loaded())
    for (const auto& [name, entry] : plugins.catalog().policies())
      if (entry.plugin == plugin.name) rows.push_back({name, entry.policy->describe(), plugin.file.string()});
  return rows;
}

std::vector<Row> transitionsOf(const PluginSet& plugins) {
  std::vector<Row> rows;
  for (const auto& plugin : plugins.loaded()) {
    std::set<std::string> operations;
    plugins.catalog().forEach([&](const Catalog::Operation& operation) {
      if (operation.plugin == plugin.name) operations.insert(operation.name);
    });
    if (!operations.empty())
      rows.push_back({plugin.name, fmt::format("{}", fmt::join(operations, ", ")), plugin.file.string()});
  }
  return rows;
}

}  // namespace

bool isPluginName(const std::string& plugin) {
  return plugin.find_first_of("/.") == std::string::npos;
}

std::optional<fs::path> readyPlugin(const std::string& name, const Installation& installation) {
  fs::path ready = installation.plugins / (name + ".so");
  std::error_code unknown;
  return isPluginName(name) && fs::exists(ready, unknown) ? std::optional(ready) : std::nullopt;
}

void loadPlugins(PluginSet& plugins, const Options& options, const Installation& installation) {
  plugins.loadDirectory(installation.transitions);
  plugins.loadDirectory(installation.policies);
  for (const auto& directory : options.pluginPaths) plugins.loadDirectory(directory);
  for (const auto& plugin : options.plugins) plugins.loadFile(locate(plugin, installation));
  for (const auto& plugin : plugins.loaded())
    spdlog::info("plugin {} from {}", plugin.name, plugin.file.string());
}

PluginSet::Loaded findPlugin(PluginSet& plugins, const std::string& named, const Installation& installation) {
  fs::path file = locate(named, installation);
  std::error_code unknown;
  if (isPluginName(named) && !fs::exists(file, unknown)) {
    auto known = std::ranges::find(plugins.loaded(), named, &PluginSet::Loaded::name);
    if (known == plugins.loaded().end()) throw noSuchPlugin(plugins, named, installation);
    return *known;
  }
  return loadOnce(plugins, file);
}

Policies choosePolicies(PluginSet& plugins, const Options& options) {
  Policies policies;
  policies.setDefault(findPolicy(plugins, "arbitrary"));
  for (const auto& [kind, name] : options.policies) {
    auto policy = findPolicy(plugins, name);
    if (kind.empty())
      policies.setDefault(policy);
    else
      policies.set(kind, policy);
  }
  if (options.spuriousWakeups)
    policies.setSpuriousWakeups(static_cast<std::uint32_t>(*options.spuriousWakeups));
  return policies;
}

ExitCode listPlugins(const Options& options) {
  PluginSet plugins;
  loadPlugins(plugins, options, Installation::ofThisExecutable());
  for (const auto& [kind, name] : options.policies) findPolicy(plugins, name);
  print("Wakeup policies (--policy NAME)", policiesOf(plugins));
  print("Operations that are modelled", transitionsOf(plugins));
  return ExitCode::NoBug;
}

}  // namespace mcmini
