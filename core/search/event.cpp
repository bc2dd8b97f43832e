#include "core/search/event.hpp"

namespace mcmini {

std::vector<Step> stepsOf(const std::vector<Event>& events, std::size_t known) {
  struct Latest {
    std::size_t step = SIZE_MAX;
    std::uint32_t work = 0;  // since it reached an operation of its own
  };
  std::vector<Latest> latest;  // by thread
  std::vector<Step> steps;
  steps.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.doomed) continue;
    std::uint32_t thread = index(event.transition->thread());
    if (thread >= latest.size()) latest.resize(thread + 1);
    auto& [before, work] = latest[thread];
    bool interrupted = event.transition->involuntary();
    if (before != SIZE_MAX)
      steps[before].patience =
          interrupted ? kShortPatience : 2 * work + (i < known ? kLongPatience : kUsualPatience);
    work = event.work + (interrupted ? work : 0);
    before = steps.size();
    steps.push_back({event.transition->thread(), event.result, event.last, event.patience});
  }
  return steps;
}

}  // namespace mcmini
