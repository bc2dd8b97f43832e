#include "core/search/known_loops.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace mcmini {

namespace {

/// So many loops are tried at one place, by one thread.
constexpr std::ptrdiff_t kMostTrials = 8;

/// To try a busy loop takes a second, so that one thread tries it for all, and for all objects.
bool beginsWith(const KnownLoops::Loop& loop, const Transition& next) {
  const VisibleOp& op = next.visible();
  return loop.site == op.site &&
         (loop.kind == Loops::Kind::Busy || (loop.thread == next.thread() && loop.object == op.object));
}

}  // namespace

KnownLoops::Loop KnownLoops::loopOf(const Transition& next, Loops::Kind kind, std::size_t achieved) {
  const VisibleOp& op = next.visible();
  if (kind == Loops::Kind::Busy) return {ThreadId{}, op.site, 0, kind, 0};
  return {next.thread(), op.site, op.object, kind, kind == Loops::Kind::Poll ? achieved : 0};
}

std::optional<KnownLoops::Expectation> KnownLoops::expected(const Loop& loop) const {
  if (auto known = outlooks_.find(loop); known != outlooks_.end()) return Expectation{known->second, true};
  Loop least = loop, most = loop;  // of those at the same place
  least.achieved = 0;
  most.achieved = SIZE_MAX;
  const auto first = outlooks_.lower_bound(least);
  if (std::distance(first, outlooks_.upper_bound(most)) < kMostTrials) return std::nullopt;
  const auto next = outlooks_.lower_bound(loop);
  return Expectation{(next == first ? next : std::prev(next))->second, false};
}

bool KnownLoops::holdUp(const Transition& next) const {
  return std::ranges::any_of(outlooks_, [&](const auto& known) {
    return beginsWith(known.first, next) && known.second != Outlook::Soon;
  });
}

void KnownLoops::followAll(const Transition& next) {
  for (auto& [loop, outlook] : outlooks_)
    if (beginsWith(loop, next)) outlook = Outlook::Soon;
}

}  // namespace mcmini
