#include "core/search/interruptions.hpp"

#include <algorithm>

namespace mcmini {

namespace {

constexpr std::ptrdiff_t kMostInterruptions = 25;
constexpr std::ptrdiff_t kTurns = 2;

/// How many of the last steps are so.
template <class Predicate>
std::ptrdiff_t lastSteps(const std::vector<Taken>& steps, Predicate isSo) {
  return std::find_if_not(steps.rbegin(), steps.rend(), isSo) - steps.rbegin();
}

}  // namespace

bool hadItsTime(const std::vector<Taken>& steps, ThreadId thread) {
  auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), [&](const Taken& step) {
    return step.transition->thread() == thread || !step.transition->involuntary();
  });
  return last != steps.rend() && last->transition->thread() == thread;
}

bool wentOnForLong(const std::vector<Taken>& steps, ThreadId thread) {
  return lastSteps(steps, [&](const Taken& step) {
           return step.transition->thread() == thread && step.transition->involuntary();
         }) >= kMostInterruptions;
}

Turn nextTurn(const std::vector<Taken>& steps, const std::vector<ThreadId>& interrupted) {
  auto since = [&](ThreadId thread) {
    return lastSteps(steps, [&](const Taken& step) { return step.transition->thread() != thread; });
  };
  auto inTurns = lastSteps(steps, [](const Taken& step) { return step.transition->involuntary(); });
  return {*std::ranges::max_element(interrupted, {}, since),
          interrupted.size() == 1 || inTurns >= kTurns * std::ssize(interrupted)};
}

}  // namespace mcmini
