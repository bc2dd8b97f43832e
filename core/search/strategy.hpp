#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/search/execution.hpp"

namespace mcmini {

/// Decides which runs are worth doing. It walks a tree of runs depth first: the explorer asks for the next
/// branch, then at each new place which thread moves, and at the end shows what happened.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// The next run to do; the first time {0, {}}. Nothing: all are done.
  virtual std::optional<Branch> next() = 0;

  /// A place where no run has been before: who moves? One of run.enabled(), which is not empty. If
  /// run.mover() is enabled it must be chosen, since the target may have let it run ahead. Nothing: every run
  /// from here is known to be redundant.
  virtual std::optional<ThreadId> choose(const Execution& run) = 0;

  /// How long may the chosen thread work after that step? Nothing: as long as usual.
  virtual std::optional<std::uint32_t> patience() const { return std::nullopt; }

  /// If that step can go several ways (Transition::choices): which one? Those that are to be tried, too, are
  /// branches of their own.
  virtual std::uint32_t alternative() const { return 0; }

  /// The run is over, or given up.
  virtual void learn(const Execution& run) = 0;

  /// Begins anew: runs will be other ones than so far.
  virtual void forget() = 0;

  /// All is done, but runs that were planned could not be followed. Does it search in another way from now
  /// on, from the beginning?
  virtual bool giveWay() { return false; }

  /// How much of the search is over, from 0 to 1. Exact at the end, before that an estimate. 0: not known.
  virtual double done() const { return 0; }
};

/// What a thread can do next: its pending operation, in all the ways that this can go.
inline std::vector<TransitionPtr> waysOf(const Execution& run, ThreadId thread) {
  std::vector<TransitionPtr> ways{run.pending(thread)};
  for (std::uint32_t i = 1; i < ways.front()->choices(); ++i) ways.push_back(run.pendingAs(thread, i));
  return ways;
}

/// The thread that a run goes on with where nothing else decides: the one that moved last, else the next one
/// in turn. Few switches make a run cheap, and its report readable. `allowed(thread)` is asked of enabled
/// threads; if all of them are not, one that was interrupted may still get to its next operation.
template <class Allowed>
std::optional<ThreadId> preferred(const Execution& run, Allowed allowed) {
  std::optional<ThreadId> lowest;
  std::optional<ThreadId> next;
  for (ThreadId thread : run.enabled()) {
    if (!allowed(thread)) continue;
    if (thread == run.mover()) return thread;
    if (!lowest) lowest = thread;
    if (!next && thread > run.mover()) next = thread;
  }
  if (next || lowest) return next ? next : lowest;
  for (ThreadId thread : run.interrupted())
    if (allowed(thread)) return thread;
  return std::nullopt;
}

/// `beginning`: the first steps of all runs; where one of them cannot be taken, the run is given up.
std::unique_ptr<Strategy> makeOptimal(Moves beginning = {});
std::unique_ptr<Strategy> makeDpor();
/// The optimal one; then dpor, if there were plans that could not be followed.
std::unique_ptr<Strategy> makeCautious();
std::unique_ptr<Strategy> makeNaive();

}  // namespace mcmini
