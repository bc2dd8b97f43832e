#include "core/search/loops.hpp"

#include <algorithm>

namespace mcmini {

namespace {

constexpr std::size_t kLongestLoop = 12;

/// After so many steps in which nobody did anything that can be seen, it is not likely that more of them
/// help.
constexpr std::ptrdiff_t kIdleSteps = 24;

bool same(const Taken& a, const Taken& b) {
  return a.result == b.result && a.transition->visible() == b.transition->visible();
}

/// Has the thread of the operation done the same before, not long ago?
bool repeats(const std::vector<Taken>& steps, const Transition& next) {
  std::size_t own = 0;
  for (auto step = steps.rbegin(); step != steps.rend() && own < kLongestLoop; ++step) {
    if (step->transition->thread() != next.thread()) continue;
    if (step->transition->visible() == next.visible()) return true;
    ++own;
  }
  return false;
}

/// Does an operation of another thread change what this one would see?
bool disturbs(const Transition& other, const Transition& mine) {
  return touchesNothing(mine) || dependent(other, mine);
}

/// The thread's last steps, latest first, as far back as nobody disturbed them.
std::vector<Taken> undisturbed(const std::vector<Taken>& steps, ThreadId thread, std::size_t most) {
  std::vector<Taken> own;
  std::vector<const Transition*> others;
  auto busy = std::ranges::find_if_not(steps.rbegin(), steps.rend(),
                                       [](const Taken& step) { return touchesNothing(*step.transition); });
  bool allYield = busy - steps.rbegin() >= kIdleSteps;
  bool onlyYields = true;
  for (auto step = steps.rbegin(); step != steps.rend() && own.size() < most; ++step) {
    const Transition& t = *step->transition;
    if (t.thread() != thread) {
      if (!allYield || !touchesNothing(t)) others.push_back(&t);
      continue;
    }
    // A loop that looks at something is disturbed by changes to that; one that only yields, by anything.
    onlyYields = onlyYields && touchesNothing(t);
    bool disturbed = std::ranges::any_of(others, [&](const Transition* other) {
      return touchesNothing(t) ? onlyYields : disturbs(*other, t);
    });
    if (disturbed) break;
    own.push_back(*step);
  }
  return own;
}

/// Does doing the loop once more lead back to the same state with the same results? `own` is latest first. A
/// thread that has to wait should have given back what it takes on its way: others may need it.
bool isNeutral(const ModelState& state, const std::vector<Taken>& own, std::size_t length) {
  ModelState after = state;
  ThreadId thread = own.front().transition->thread();
  std::size_t held = state.heldBy(thread).size();
  for (std::size_t i = length; i-- > 0;) {
    if (!canMove(*own[i].transition, after)) return false;
    if (own[i].transition->apply(after) != own[i].result) return false;
    if (after.heldBy(thread).size() < held) return false;
  }
  return after == state;
}

}  // namespace

bool inVain(const Taken& step) {
  const Transition& t = *step.transition;
  return t.failed(step.result) || t.onlyLooks() || touchesNothing(t) || t.choices() > 1;
}

std::size_t achievedBy(ThreadId thread, const std::vector<Taken>& steps) {
  return static_cast<std::size_t>(std::ranges::count_if(
      steps, [&](const Taken& step) { return step.transition->thread() == thread && !inVain(step); }));
}

Loops::Kind Loops::futile(const std::vector<Taken>& steps, const ModelState& state, const Transition& next,
                          bool busy) const {
  if (!repeats(steps, next)) return Kind::None;
  std::vector<Taken> own = undisturbed(steps, next.thread(), kLongestLoop * (maxRepeats_ + 1));
  for (std::size_t length = 1; length <= std::min(kLongestLoop, own.size()); ++length) {
    if (!(own[length - 1].transition->visible() == next.visible())) continue;
    auto loop = std::span(own).first(length);
    bool anyInVain = std::ranges::any_of(loop, inVain);
    if (!busy && !anyInVain) continue;
    bool onlyLooks = std::ranges::all_of(loop, inVain);
    std::size_t rounds = 1;
    while ((rounds + 1) * length <= own.size() &&
           std::ranges::equal(std::span(own).subspan(rounds * length, length), loop, same))
      ++rounds;
    if (rounds >= (onlyLooks ? 1 : maxRepeats_ + 1) && isNeutral(state, own, length))
      return onlyLooks ? Kind::Poll : anyInVain ? Kind::Retry : Kind::Busy;
  }
  return Kind::None;
}

}  // namespace mcmini
