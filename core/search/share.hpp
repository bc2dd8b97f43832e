#pragma once

#include <algorithm>
#include <cstddef>

namespace mcmini {

/// How much of what lies behind one place of a search is over. Its branches count the same. Those that are
/// not known yet are guessed at: each rival, a thread that does something later which could as well come
/// first here, is likely to be tried.
struct Share {
  double left = 1;
  std::size_t rivals = 0;  ///< Of the current branch.

  /// What the current one counts for, of these branches that are not over.
  double current(std::size_t branches) const {
    return left / static_cast<double>(std::max(branches, 1 + rivals));
  }

  /// The current one is over.
  void leave(std::size_t branches) {
    left -= current(branches);
    rivals = 0;
  }
};

/// How much of a search is over, by the places of its current path; `branches(place)` are known and not over.
template <class Path, class Branches>
double doneShare(const Path& path, Branches branches) {
  double part = 1;
  double done = 0;
  for (const auto& place : path) {
    done += part * (1 - place.share.left);
    part *= place.share.current(branches(place));
  }
  return path.empty() ? 1 : std::min(done, 1.);
}

}  // namespace mcmini
