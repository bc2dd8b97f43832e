#include "core/plugin/plugin_set.hpp"

#include <algorithm>
#include <cstring>

#include "core/plugin/plugin_guard.hpp"
#include "plugins/plugin.hpp"

namespace mcmini {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSymbol = "mcmini_plugin";

/// Of all that Boost says, what the loader has said.
std::string reasonOf(std::string words) {
  constexpr std::string_view kBegin = "dlerror system message: ";
  std::size_t begin = words.find(kBegin);
  if (begin == std::string::npos) return words;
  words = words.substr(begin + kBegin.size());
  return words.substr(0, words.rfind(')'));
}

boost::dll::shared_library open(const fs::path& file) {
  std::error_code unknown;
  if (!fs::exists(file, unknown)) throw PluginError(file.string() + ": there is no such plugin file.");
  if (!fs::is_regular_file(file, unknown))
    throw PluginError(file.string() + " is not a plugin: it is not a file.");
  try {
    return boost::dll::shared_library(fs::absolute(file).string(), boost::dll::load_mode::rtld_now);
  } catch (const std::exception& error) {
    throw PluginError(file.string() + " is not a plugin: it cannot be loaded as a shared library (" +
                      reasonOf(error.what()) + ").");
  }
}

const PluginDescriptor& descriptorOf(const boost::dll::shared_library& library, const fs::path& file) {
  if (!library.has(kSymbol))
    throw PluginError(file.string() + " is not a plugin of mcmini: it defines no MCMINI_PLUGIN.");
  const auto& descriptor = library.get<const PluginDescriptor>(kSymbol);
  if (std::memcmp(descriptor.magic, "mcmini\n", 8) != 0)
    throw PluginError(file.string() + " is not a plugin of mcmini: its descriptor is unreadable.");
  if (descriptor.apiVersion != kPluginApiVersion)
    throw PluginError(file.string() + " was built for version " + std::to_string(descriptor.apiVersion) +
                      " of the plugin interface, and this mcmini has version " +
                      std::to_string(kPluginApiVersion) + ". Build it again.");
  return descriptor;
}

/// libNAME.so beside NAME.so is for programs.
bool isTargetHalf(const fs::path& file) {
  std::string name = file.filename().string();
  return name.starts_with("lib") && fs::exists(file.parent_path() / name.substr(3));
}

}  // namespace

void PluginSet::loadDirectory(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory, error))
    if (entry.path().extension() == ".so" && !isTargetHalf(entry.path())) files.push_back(entry.path());
  if (error)
    throw PluginError(directory.string() + ": this plugin directory cannot be read (" + error.message() +
                      ").");
  std::ranges::sort(files);
  for (const fs::path& file : files) loadFile(file);
}

void PluginSet::loadFile(const fs::path& file) {
  PluginGuard::Loading loading(file);
  libraries_.push_back(open(file));
  const PluginDescriptor& descriptor = descriptorOf(libraries_.back(), file);
  catalog_.beginPlugin(descriptor.name);
  descriptor.fill(catalog_);
  PluginGuard::loaded(file, &descriptor);
  if (!catalog_.clashes().empty()) {
    const Catalog::Clash& clash = catalog_.clashes().front();
    auto other = std::ranges::find(loaded_, clash.first, &Loaded::name);
    throw PluginError(file.string() + ": '" + clash.name + "' is already defined by the plugin '" +
                      clash.first + "'" + (other == loaded_.end() ? "" : " (" + other->file.string() + ")") +
                      ". Leave one of them out.");
  }
  if (auto other = std::ranges::find(loaded_, descriptor.name, &Loaded::name); other != loaded_.end())
    throw PluginError(file.string() + ": there is already a plugin named '" + other->name + "' (" +
                      other->file.string() + "). Give it a name of its own.");
  loaded_.push_back({descriptor.name, file});
}

}  // namespace mcmini
