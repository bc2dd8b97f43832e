#include "core/app/installation.hpp"

#include "core/app/errors.hpp"

namespace mcmini {

namespace fs = std::filesystem;

Installation Installation::aroundThisExecutable() {
  fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  fs::path root = prefix / "lib" / "mcmini";
  return {root / "libmcmini.so", root / "transitions", root / "policies", root / "plugins",
          prefix / "lib",        prefix / "include",   root / "template", prefix / "share" / "mcmini",
          root / "stub"};
}

Installation Installation::ofThisExecutable() {
  Installation found = aroundThisExecutable();
  for (const fs::path& part : {found.library, found.transitions, found.policies})
    if (!fs::exists(part))
      throw UsageError(part.string() +
                       " is missing: this mcmini is not installed completely. Install it anew.");
  return found;
}

}  // namespace mcmini
