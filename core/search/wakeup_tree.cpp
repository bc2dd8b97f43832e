#include "core/search/wakeup_tree.hpp"

#include <algorithm>

namespace mcmini {

namespace {

/// placeAsFirst in what is left of the sequence from an index on.
template <class IsLeft>
std::optional<std::size_t> place(std::span<const Planned> sequence, std::size_t from, IsLeft isLeft,
                                 const Transition& first) {
  for (std::size_t i = from; i < sequence.size(); ++i) {
    if (!isLeft(i)) continue;
    const Transition& other = *sequence[i].transition;
    if (other.thread() == first.thread()) {
      if (other.visible().alternative != first.visible().alternative) return std::nullopt;
      for (std::size_t k = from; k < i; ++k)
        if (isLeft(k) && dependent(*sequence[k].transition, other)) return std::nullopt;
      return i;
    }
    if (dependent(other, first)) return std::nullopt;
  }
  return sequence.size();
}

/// A sequence from which steps are taken, mostly the first. Nothing is moved by it, so that to take all of
/// them one by one costs no more than their number.
class Rest {
 public:
  explicit Rest(std::span<const Planned> sequence) : sequence_(sequence), taken_(sequence.size()) {}

  bool has(std::size_t i) const { return !taken_[i]; }

  /// Takes away what the way down to the first matching child accounts for; null if none matches.
  template <class Tree>
  Tree* descend(Tree& tree) {
    for (auto& child : tree.children) {
      auto at = place(
          sequence_, from_, [&](std::size_t i) { return has(i); }, *child.planned.transition);
      if (!at) continue;
      if (*at < sequence_.size()) taken_[*at] = true;
      while (from_ < sequence_.size() && taken_[from_]) ++from_;
      return &child.below;
    }
    return nullptr;
  }

 private:
  std::span<const Planned> sequence_;
  std::vector<bool> taken_;
  std::size_t from_ = 0;  // nothing is left before it
};

}  // namespace

std::optional<std::size_t> placeAsFirst(std::span<const Planned> sequence, const Transition& first) {
  return place(
      sequence, 0, [](std::size_t) { return true; }, first);
}

bool WakeupTree::covers(std::span<const Planned> sequence) const {
  const WakeupTree* tree = this;
  Rest rest(sequence);
  while (const WakeupTree* below = rest.descend(*tree)) {
    if (below->children.empty()) return true;
    tree = below;
  }
  return false;
}

void WakeupTree::insert(std::vector<Planned> sequence) {
  WakeupTree* tree = this;
  Rest rest(sequence);
  while (WakeupTree* below = rest.descend(*tree)) {
    if (below->children.empty()) return;  // whatever hangs below a leaf is explored anyway
    tree = below;
  }
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (!rest.has(i)) continue;
    tree->children.push_back({std::move(sequence[i]), {}});
    tree = &tree->children.back().below;
  }
}

}  // namespace mcmini
