#pragma once

#include <cstdint>
#include <vector>

#include "core/search/finding.hpp"

namespace mcmini {

/// Some events of a schedule that are shown together.
struct Piece {
  enum class Kind : std::uint8_t {
    Steps,  ///< One event, maybe with others before it that need no mention.
    Alike,  ///< The same call of one line, over and over.
    Again,  ///< What the pieces before it show, more times.
    Gap,    ///< Left out.
  };
  Kind kind = Kind::Steps;
  std::size_t first = 0;  ///< Places in the list of events.
  std::size_t last = 0;
  std::size_t times = 1;  ///< Alike, Again: how many.
};

/// Folds the events of a finding, given by their indices: loops of a thread are shown once, and of what is
/// long the middle is left out. The last event is a piece of its own: it is what the schedule leads to.
std::vector<Piece> folded(const Finding& finding, const std::vector<std::size_t>& events);

}  // namespace mcmini
