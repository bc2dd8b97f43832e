#pragma once

#include <optional>

#include "core/app/options.hpp"
#include "core/app/session.hpp"
#include "core/report/module_map.hpp"
#include "core/report/saved_as.hpp"
#include "core/report/saved_bug.hpp"

namespace mcmini {

/// Keeps what is found in files, so that `mcmini replay` can run into it again.
class BugSaver {
 public:
  BugSaver(const Options& options, Session& session) : options_(options), session_(session) {}

  /// Where the bug is kept, from now on or since it was found before. Nothing if that is not possible: then
  /// a warning has been given.
  std::optional<SavedAs> save(const Finding& finding);

 private:
  SavedBug describe(const Finding& finding);
  SavedOptions savedOptions() const;
  void warn(const char* why, const char* remedy);

  const Options& options_;
  Session& session_;
  std::optional<ModuleMap> modules_;
  bool warned_ = false;
};

/// The object that an operation is about, if the user has a name for it.
std::string namedObject(const Transition& transition, const Names& names);

}  // namespace mcmini
