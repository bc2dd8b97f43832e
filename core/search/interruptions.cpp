#include "core/search/interruptions.hpp"

#include <algorithm>

namespace mcmini {

namespace {

constexpr std::ptrdiff_t kMostInterruptions = 25;
constexpr std::ptrdiff_t kTurns = 2;
constexpr std::ptrdiff_t kTurnsAmongIdle = 4;

/// Was nothing done that the model knows of?
bool isIdle(const Transition& transition) {
  return transition.involuntary() || touchesNothing(transition);
}
bool isTurn(const Event& event) {
  return event.transition->involuntary();
}

/// How many of the last ones are so.
template <class List, class Predicate>
std::ptrdiff_t lastOnes(const List& list, Predicate isSo) {
  return std::find_if_not(list.rbegin(), list.rend(), isSo) - list.rbegin();
}

}  // namespace

bool hadItsTime(const std::vector<Taken>& steps, ThreadId thread) {
  auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), [&](const Taken& step) {
    return step.transition->thread() == thread || !step.transition->involuntary();
  });
  if (last == steps.rend() || last->transition->thread() == thread) return last != steps.rend();
  auto idle = lastOnes(steps, [](const Taken& step) { return isIdle(*step.transition); });
  return std::count_if(steps.rbegin(), steps.rbegin() + idle, [&](const Taken& step) {
           return step.transition->thread() == thread && step.transition->involuntary();
         }) >= kTurnsAmongIdle;
}

bool wentOnForLong(const std::vector<Taken>& steps, ThreadId thread) {
  return lastOnes(steps, [&](const Taken& step) {
           return step.transition->thread() == thread && step.transition->involuntary();
         }) >= kMostInterruptions;
}

std::optional<Turn> nextTurn(const std::vector<Event>& events, const std::vector<ThreadId>& interrupted,
                             bool othersPoll) {
  auto since = [&](ThreadId thread) {
    return lastOnes(events, [&](const Event& event) { return event.transition->thread() != thread; });
  };
  std::vector<ThreadId> inTurn = interrupted;
  std::ranges::stable_sort(inTurn, std::ranges::greater{}, since);
  if (inTurn.size() == 1 && !othersPoll) return Turn{inTurn.front(), kEndlessPatience};

  auto idle = lastOnes(events, [](const Event& event) { return isIdle(*event.transition); });
  auto turns = std::count_if(events.rbegin(), events.rbegin() + idle, isTurn);
  if (turns < kTurns * std::ssize(inTurn)) return Turn{inTurn.front(), kUsualPatience};
  auto hadAll = [&](ThreadId thread) {
    return std::any_of(events.rbegin(), events.rbegin() + idle, [&](const Event& event) {
      return event.transition->thread() == thread && event.patience == kWholePatience;
    });
  };
  if (auto next = std::ranges::find_if_not(inTurn, hadAll); next != inTurn.end())
    return Turn{*next, kWholePatience};

  // What one of them did with all its time may have been what another one had waited for.
  auto after = lastOnes(events, [](const Event& event) { return event.patience != kWholePatience; });
  if (std::count_if(events.rbegin(), events.rbegin() + after, isTurn) < std::ssize(inTurn))
    return Turn{inTurn.front(), kUsualPatience};
  return std::nullopt;
}

}  // namespace mcmini
