#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/report/saved_as.hpp"
#include "core/report/saved_bug.hpp"

namespace mcmini {

/// The directory that bugs are kept in: one file each, NNN-kind-hash.yaml. Nothing in it is ever overwritten,
/// and several checkers may save at the same time.
class BugStore {
 public:
  explicit BugStore(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Saves a bug under the next free number, unless it is there already. Makes the directory if need be;
  /// throws SavedBugError if it cannot be written.
  SavedAs save(const SavedBug& bug) const;

  /// What there is, by number; throws SavedBugError if there is something that cannot be read.
  std::vector<SavedAs> all() const;

  std::optional<SavedAs> find(std::uint32_t number) const;

  const std::filesystem::path& directory() const { return directory_; }

 private:
  std::filesystem::path directory_;
};

}  // namespace mcmini
