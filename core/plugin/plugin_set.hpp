#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/dll/shared_library.hpp>

#include "core/model/catalog.hpp"

namespace mcmini {

/// A plugin that cannot be used; the text names the file and says why.
struct PluginError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The plugins in use, and what they define. Keeps their code mapped for as long as anything of theirs may be
/// called.
class PluginSet {
 public:
  struct Loaded {
    std::string name;
    std::filesystem::path file;
  };

  /// Loads all plugins of a directory, in the order of their names.
  void loadDirectory(const std::filesystem::path& directory);
  void loadFile(const std::filesystem::path& file);

  const Catalog& catalog() const { return catalog_; }
  const std::vector<Loaded>& loaded() const { return loaded_; }

 private:
  std::vector<boost::dll::shared_library> libraries_;  // first, so that it outlives the catalog's factories
  std::vector<Loaded> loaded_;
  Catalog catalog_;
};

}  // namespace mcmini
