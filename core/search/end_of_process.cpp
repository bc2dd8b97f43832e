#include "core/search/end_of_process.hpp"

#include <algorithm>

#include "core/search/finding.hpp"

namespace mcmini {

std::vector<ThreadId> cutOff(const Execution& run) {
  if (run.events().empty() || !run.events().back().transition->endsProcess()) return {};
  std::vector<std::uint32_t> moves(run.state().threadCount());
  auto event = run.events().rbegin() + 1;
  for (; event != run.events().rend() && event->transition->thread() != run.mover(); ++event)
    ++moves[index(event->transition->thread())];
  std::vector<ThreadId> threads;
  std::vector<TransitionPtr> waiting = blockedTransitions(run);
  auto waits = [&](ThreadId thread) {
    return std::ranges::any_of(waiting, [&](const TransitionPtr& t) { return t->thread() == thread; });
  };
  for (std::uint32_t i = 0; i < moves.size(); ++i)
    if (moves[i] > 1 && !waits(ThreadId{i}) && !run.isCut(ThreadId{i})) threads.push_back(ThreadId{i});
  return threads;
}

bool endedUnseen(const Execution& run) {
  bool saidSo = !run.events().empty() && run.events().back().transition->endsProcess();
  if (saidSo) return false;
  for (std::uint32_t i = 0; i < run.state().threadCount(); ++i) {
    bool isDone = run.stop().becameAnother && ThreadId{i} == run.stop().thread;
    if (!isDone && run.state().alive(ThreadId{i})) return true;
  }
  return false;
}

}  // namespace mcmini
