#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/search/execution.hpp"

namespace mcmini {

/// The sequences that still have to be explored from a node, with common beginnings folded: the wakeup tree
/// of optimal DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, J. ACM 2017).
struct WakeupTree {
  struct Child;
  std::vector<Child> children;  ///< In the order in which they are explored.

  /// Makes sure that a run equivalent to one that begins with the sequence is explored; adds nothing if the
  /// tree ensures it already.
  void insert(std::vector<Planned> sequence);

  /// Would insert add nothing?
  bool covers(std::span<const Planned> sequence) const;
};

struct WakeupTree::Child {
  Planned planned;
  WakeupTree below;
};

/// Where the transition stands in a sequence that may begin with it: an index; the sequence's size if it is
/// independent of the whole sequence; nothing if the sequence cannot begin with it.
std::optional<std::size_t> placeAsFirst(std::span<const Planned> sequence, const Transition& first);

}  // namespace mcmini
