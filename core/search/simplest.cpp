#include "core/search/simplest.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

#include "core/search/happens_before.hpp"

namespace mcmini {

namespace {

constexpr std::size_t kTries = 100;          // of other orders, for one finding
constexpr std::size_t kStepsTried = 20'000;  // all of them together
constexpr std::size_t kLongRun = 3'000;      // events of a run for which one attempt must do
constexpr std::size_t kLongestRun = 20'000;  // for which there is any
constexpr std::size_t kBeam = 64;            // ways to go on that are kept in mind
constexpr std::size_t kBeamOfLongRun = 4;

/// Puts the events of a run into another order of the same trace. Each thread goes on for as long as nothing
/// is missing that happens before its next event: to stop it earlier never saves a switch. So an order is a
/// sequence of threads, and what there is to decide is whose turn is next.
class Linearization {
 public:
  Linearization(const std::vector<Event>& events, bool last) : events_(events) {
    for (const Event& event : events) order_.append(event.transition);
    std::size_t end = events.size() - 1;
    for (std::size_t i = 0; i <= end; ++i) {
      std::uint32_t thread = index(events[i].transition->thread());
      if (thread >= wanted_.size()) wanted_.resize(thread + 1);
      if (!last || order_.ordered(i, end)) ++wanted_[thread];
    }
    total_ = std::accumulate(wanted_.begin(), wanted_.end(), std::size_t{0});
  }

  std::vector<std::size_t> run() {
    std::size_t width = events_.size() > kLongRun ? kBeamOfLongRun : kBeam;
    places_ = {{std::vector<std::uint32_t>(wanted_.size()), 0, SIZE_MAX, 0}};
    std::vector<std::size_t> now{0};
    while (places_[now.front()].size < total_) now = after(now, width);
    return wayTo(now.front());
  }

 private:
  /// What has been done, and who did the latest of it.
  struct Place {
    std::vector<std::uint32_t> done;  // by thread
    std::size_t size;
    std::size_t from;  // the place before
    std::uint32_t thread;
  };

  /// All places one switch further, those first that have got on most.
  std::vector<std::size_t> after(const std::vector<std::size_t>& now, std::size_t width) {
    std::vector<std::size_t> next;
    std::set<std::vector<std::uint32_t>> seen;
    for (std::size_t from : now)
      for (std::uint32_t thread = 0; thread < wanted_.size(); ++thread) {
        Place place{places_[from].done, places_[from].size, from, thread};
        while (isNext(place.done, thread)) {
          ++place.done[thread];
          ++place.size;
        }
        if (place.size == places_[from].size || !seen.insert(place.done).second) continue;
        next.push_back(places_.size());
        places_.push_back(std::move(place));
      }
    std::ranges::stable_sort(next, std::greater<>(), [&](std::size_t i) { return places_[i].size; });
    if (next.size() > width) next.resize(width);
    return next;
  }

  /// Has all been done that happens before the next event of the thread?
  bool isNext(const std::vector<std::uint32_t>& done, std::uint32_t thread) const {
    if (done[thread] >= wanted_[thread]) return false;
    std::size_t event = order_.of(ThreadId{thread})[done[thread]];
    if (events_[event].transition->endsProcess())
      return std::accumulate(done.begin(), done.end(), std::size_t{1}) == total_;
    for (std::uint32_t other = 0; other < wanted_.size(); ++other)
      if (other != thread && order_.countBefore(event, ThreadId{other}) > done[other]) return false;
    return true;
  }

  std::vector<std::size_t> wayTo(std::size_t end) const {
    std::vector<std::size_t> way;
    for (std::size_t at = end; places_[at].from != SIZE_MAX; at = places_[at].from) {
      const Place& place = places_[at];
      const auto& own = order_.of(ThreadId{place.thread});
      for (std::uint32_t i = place.done[place.thread]; i > places_[place.from].done[place.thread]; --i)
        way.push_back(own[i - 1]);
    }
    std::ranges::reverse(way);
    return way;
  }

  const std::vector<Event>& events_;
  HappensBefore order_;
  std::vector<std::uint32_t> wanted_;  // by thread: how many of its events
  std::size_t total_ = 0;
  std::vector<Place> places_;
};

/// A thread that goes on for a while.
struct Block {
  ThreadId thread;
  Order moves;
};

std::vector<Block> blocksOf(const std::vector<Event>& events) {
  std::vector<Block> blocks;
  for (const Move& move : orderOf(events)) {
    if (blocks.empty() || blocks.back().thread != move.thread) blocks.push_back({move.thread, {}});
    blocks.back().moves.push_back(move);
  }
  return blocks;
}

Order inOrder(const std::vector<Block>& blocks) {
  Order order;
  for (const Block& block : blocks) order.insert(order.end(), block.moves.begin(), block.moves.end());
  return order;
}

/// The bug comes with the last event, which nothing but what happens before it may have led to.
bool comesWithLast(const Finding& found) {
  return found.kind == Finding::Kind::Crash || found.kind == Finding::Kind::Assertion ||
         (found.kind == Finding::Kind::Misuse && !found.leftBehind);
}

class Simplification {
 public:
  Simplification(const Finding& found, const Follow& follow)
      : best_(found),
        follow_(follow),
        tries_(found.events.size() > kLongRun ? 2 : std::min(kTries, kStepsTried / found.events.size())) {}

  Finding run() {
    linearize();
    if (best_.events.size() <= kLongRun)
      while (joinBlocks()) linearize();
    return std::move(best_);
  }

 private:
  /// The same trace in another order.
  void linearize() {
    if (comesWithLast(best_) && linearize(true)) return;
    linearize(false);
  }

  bool linearize(bool last) {
    const Order found = orderOf(best_.events);
    Order order;
    for (std::size_t event : withFewSwitches(best_.events, last)) order.push_back(found[event]);
    bool promising = order.size() < best_.events.size() || switchesIn(order) < switchesOf(best_).all;
    return promising && attempt(order);
  }

  /// Another trace: a thread that was stopped, and went on later, does all of it at once, first or last.
  bool joinBlocks() {
    std::vector<Block> blocks = blocksOf(best_.events);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (std::size_t j = i + 2; j < blocks.size(); ++j) {
        if (blocks[j].thread != blocks[i].thread) continue;
        auto at = [](std::vector<Block>& list, std::size_t k) {
          return list.begin() + static_cast<std::ptrdiff_t>(k);
        };
        std::vector<Block> sooner = blocks;
        std::rotate(at(sooner, i + 1), at(sooner, j), at(sooner, j + 1));
        std::vector<Block> later = blocks;
        std::rotate(at(later, i), at(later, i + 1), at(later, j));
        if (attempt(inOrder(sooner)) || attempt(inOrder(later))) return true;
        break;
      }
    return false;
  }

  static std::size_t switchesIn(const Order& order) {
    std::size_t switches = 0;
    for (std::size_t i = 1; i < order.size(); ++i) switches += order[i].thread != order[i - 1].thread ? 1 : 0;
    return switches;
  }

  /// Keeps the run if the bug shows in it, and it is simpler than what there is.
  bool attempt(const Order& order) {
    if (tries_ == 0 || !tried_.insert(order).second) return false;
    --tries_;
    std::optional<Finding> again = follow_(order);
    if (!again || !canBeFollowed(*again) || cost(*again) >= cost(best_)) return false;
    again->trace = best_.trace;
    best_ = std::move(*again);
    return true;
  }

  static std::array<std::size_t, 3> cost(const Finding& found) {
    Switches switches = switchesOf(found);
    return {switches.all, switches.preemptions, found.events.size()};
  }

  Finding best_;
  const Follow& follow_;
  std::size_t tries_;
  std::set<Order> tried_;
};

}  // namespace

Order orderOf(const std::vector<Event>& events) {
  Order order;
  for (const Event& event : events)
    order.push_back({event.transition->thread(), event.transition->visible().alternative});
  return order;
}

Switches switchesOf(const Finding& found) {
  return switchesOf(found.events, found.initial, found.pending);
}

bool canBeFollowed(const Finding& found) {
  if (found.kind == Finding::Kind::Stuck || found.events.empty()) return false;
  auto mayMove = [&](const TransitionPtr& t) { return canMove(*t, found.state); };
  if (std::ranges::any_of(found.blocked, mayMove)) return false;  // by chance
  for (std::size_t i = 0; i < found.events.size(); ++i) {
    const Event& event = found.events[i];
    bool offence = event.doomed && i + 1 == found.events.size();
    if (event.last || (event.doomed && !offence) || event.transition->involuntary()) return false;
  }
  return true;
}

std::vector<std::size_t> withFewSwitches(const std::vector<Event>& events, bool last) {
  return Linearization(events, last).run();
}

Finding simplest(const Finding& found, const Follow& follow) {
  bool worthwhile = canBeFollowed(found) && found.events.size() <= kLongestRun;
  return worthwhile ? Simplification(found, follow).run() : found;
}

}  // namespace mcmini
