#include "core/search/wakeup_tree.hpp"

#include <algorithm>

namespace mcmini {

namespace {

/// Takes from the sequence what the way down to the first matching child accounts for; null if none matches.
template <class Tree>
Tree* descend(Tree& tree, std::vector<TransitionPtr>& sequence) {
  for (auto& child : tree.children) {
    auto place = placeAsFirst(sequence, *child.transition);
    if (!place) continue;
    if (*place < sequence.size()) sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(*place));
    return &child.below;
  }
  return nullptr;
}

}  // namespace

std::optional<std::size_t> placeAsFirst(std::span<const TransitionPtr> sequence, const Transition& first) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Transition& other = *sequence[i];
    if (other.thread() == first.thread()) {
      bool free = std::ranges::none_of(sequence.first(i),
                                       [&](const TransitionPtr& x) { return dependent(*x, other); });
      return free ? std::optional(i) : std::nullopt;
    }
    if (dependent(other, first)) return std::nullopt;
  }
  return sequence.size();
}

bool WakeupTree::covers(std::vector<TransitionPtr> sequence) const {
  const WakeupTree* tree = this;
  while (const WakeupTree* below = descend(*tree, sequence)) {
    if (below->children.empty()) return true;
    tree = below;
  }
  return false;
}

void WakeupTree::insert(std::vector<TransitionPtr> sequence) {
  WakeupTree* tree = this;
  while (WakeupTree* below = descend(*tree, sequence)) {
    if (below->children.empty()) return;  // whatever hangs below a leaf is explored anyway
    tree = below;
  }
  for (TransitionPtr& transition : sequence) {
    tree->children.push_back({std::move(transition), {}});
    tree = &tree->children.back().below;
  }
}

}  // namespace mcmini
