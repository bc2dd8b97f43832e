#include "core/search/wakeup_tree.hpp"

#include <algorithm>

namespace mcmini {

namespace {

/// Takes from the sequence what the way down to the first matching child accounts for; null if none matches.
template <class Tree>
Tree* descend(Tree& tree, std::vector<Planned>& sequence) {
  for (auto& child : tree.children) {
    auto place = placeAsFirst(sequence, *child.planned.transition);
    if (!place) continue;
    if (*place < sequence.size()) sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(*place));
    return &child.below;
  }
  return nullptr;
}

}  // namespace

std::optional<std::size_t> placeAsFirst(std::span<const Planned> sequence, const Transition& first) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Transition& other = *sequence[i].transition;
    if (other.thread() == first.thread()) {
      if (other.visible().alternative != first.visible().alternative) return std::nullopt;
      bool free = std::ranges::none_of(sequence.first(i),
                                       [&](const Planned& x) { return dependent(*x.transition, other); });
      return free ? std::optional(i) : std::nullopt;
    }
    if (dependent(other, first)) return std::nullopt;
  }
  return sequence.size();
}

bool WakeupTree::covers(std::vector<Planned> sequence) const {
  const WakeupTree* tree = this;
  while (const WakeupTree* below = descend(*tree, sequence)) {
    if (below->children.empty()) return true;
    tree = below;
  }
  return false;
}

void WakeupTree::insert(std::vector<Planned> sequence) {
  WakeupTree* tree = this;
  while (WakeupTree* below = descend(*tree, sequence)) {
    if (below->children.empty()) return;  // whatever hangs below a leaf is explored anyway
    tree = below;
  }
  for (Planned& planned : sequence) {
    tree->children.push_back({std::move(planned), {}});
    tree = &tree->children.back().below;
  }
}

}  // namespace mcmini
