#include "core/search/event.hpp"

#include <algorithm>

namespace mcmini {

std::vector<Step> stepsOf(const std::vector<Event>& events, std::size_t known,
                          const std::vector<TransitionPtr>& pending, bool careful) {
  struct Latest {
    std::size_t step = SIZE_MAX;
    std::uint32_t work = 0;      // since it reached an operation of its own
    std::uint32_t lastWork = 0;  // after that step
  };
  std::vector<Latest> latest;  // by thread
  auto untilInterrupted = [&](const Latest& step) {
    return careful ? std::max(kShortPatience, step.lastWork) : kShortPatience;
  };
  std::vector<Step> steps;
  steps.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.doomed) continue;
    std::uint32_t thread = index(event.transition->thread());
    if (thread >= latest.size()) latest.resize(thread + 1);
    Latest& own = latest[thread];
    bool interrupted = event.transition->involuntary();
    if (own.step != SIZE_MAX)
      steps[own.step].patience =
          interrupted ? untilInterrupted(own) : 2 * own.work + (i < known ? kLongPatience : kUsualPatience);
    own = {steps.size(), event.work + (interrupted ? own.work : 0), event.work};
    steps.push_back({event.transition->thread(), event.result, event.last, interrupted, event.patience});
  }
  for (const TransitionPtr& next : pending) {
    if (!next || !next->involuntary() || index(next->thread()) >= latest.size()) continue;
    const Latest& own = latest[index(next->thread())];
    if (own.step != SIZE_MAX) steps[own.step].patience = untilInterrupted(own);
  }
  return steps;
}

}  // namespace mcmini
