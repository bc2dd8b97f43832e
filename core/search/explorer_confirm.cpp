#include <algorithm>

#include "core/search/explorer.hpp"

namespace mcmini {

namespace {

constexpr int kConfirmations = 3;

}  // namespace

void Explorer::confirm(Finding& found) {
  bool finishes = found.finishes || found.stop.kind != Stop::Kind::Waiting;
  std::vector<Step> steps;
  askAbout(found, target_);
  for (int i = 0; i < kConfirmations; ++i) {
    steps = stepsOf(found.events, found.events.size(), found.spinning, i > 0);
    found.rehearsal = target_.rehearse(steps, finishes);
    if (repeats(found)) return;
  }
  throw Nondeterminism(steps.size(), nullptr, nullptr);
}

bool Explorer::repeats(const Finding& found) const {
  const Stop& again = found.rehearsal.stop;
  if (found.race) return showsRace(found);
  if (again.kind != found.stop.kind || again.signal != found.stop.signal || again.status != found.stop.status)
    return false;
  std::size_t performed = 0;
  for (const Event& event : found.events)
    if (!event.doomed &&
        (performed >= target_.taken() || !(target_.takenOp(performed++) == event.transition->visible())))
      return false;
  auto isPending = [&](const TransitionPtr& t) { return target_.pending(t->thread()) == t->visible(); };
  bool waits = found.kind == Finding::Kind::Deadlock || found.kind == Finding::Kind::Livelock;
  return !waits ||
         (std::ranges::all_of(found.blocked, isPending) && std::ranges::all_of(found.spinning, isPending));
}

}  // namespace mcmini
