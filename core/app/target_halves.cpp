#include "core/app/target_halves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/target/elf_file.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

/// Those that model operations of their own, for which libmcmini has no functions.
std::vector<fs::path> modelsFromOutside(const PluginSet& plugins, const Installation& installation) {
  std::vector<fs::path> models;
  std::error_code unknown;
  for (const auto& plugin : plugins.loaded()) {
    fs::path directory = plugin.file.parent_path();
    if (directory == installation.transitions || fs::equivalent(directory, installation.transitions, unknown))
      continue;
    bool modelsAny = false;
    plugins.catalog().forEach(
        [&](const Catalog::Operation& operation) { modelsAny |= operation.plugin == plugin.name; });
    if (modelsAny) models.push_back(fs::absolute(plugin.file));
  }
  return models;
}

std::string nameOfHalf(const fs::path& model) {
  return "lib" + model.stem().string() + ".so";
}

/// A program may also be compiled with the functions in it.
bool announces(const fs::path& module) {
  return fs::is_regular_file(module) && ElfFile(module).importedFunctions().contains("mcmini_announce");
}

}  // namespace

std::vector<fs::path> targetHalves(const PluginSet& plugins, const Installation& installation) {
  std::vector<fs::path> halves;
  for (const fs::path& model : modelsFromOutside(plugins, installation))
    for (const fs::path& directory : {model.parent_path(), installation.readyHalves})
      if (fs::path half = directory / nameOfHalf(model); fs::is_regular_file(half)) {
        halves.push_back(half);
        break;
      }
  return halves;
}

void requireTargetHalves(const PluginSet& plugins, const Installation& installation, const Control& control) {
  for (const fs::path& model : modelsFromOutside(plugins, installation)) {
    std::string half = nameOfHalf(model);
    bool isThere = std::ranges::any_of(control.modules, [&](const fs::path& module) {
      return module.filename() == half || announces(module);
    });
    if (!isThere)
      throw PluginError(fmt::format(
          "{} is only the model of its operations. Its other half, {}, is neither beside it nor in "
          "{}, so nobody announces them. Build both: mcmini plugin build {}.cpp",
          model.string(), half, control.modules.front().string(), model.stem().string()));
  }
}

}  // namespace mcmini
