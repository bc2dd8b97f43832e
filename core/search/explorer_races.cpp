#include <algorithm>
#include <utility>

#include "core/search/explorer.hpp"

namespace mcmini {

namespace {

constexpr std::uint32_t kPromotions = 32;  // after so many, new races do not make the search begin anew

/// Where all events but those up to this one are cut off.
ModelState stateAfter(const Finding& found) {
  ModelState state = found.initial;
  for (const Event& event : found.events)
    if (!event.doomed) event.transition->apply(state);
  return state;
}

bool covers(const std::vector<MemoryRange>& ranges, const MemoryRange& one) {
  return std::ranges::any_of(
      ranges, [&](const MemoryRange& range) { return range.begin <= one.begin && one.end <= range.end; });
}

/// What the threads that are left do next, after the events of the finding in the run that it is of.
std::vector<TransitionPtr> nextAfter(const Finding& found, const Execution& run) {
  std::vector<TransitionPtr> next;
  for (std::uint32_t i = 0; i < found.state.threadCount(); ++i) {
    ThreadId thread{i};
    if (!found.state.alive(thread)) continue;
    auto event = std::ranges::find_if(
        run.events().begin() + static_cast<std::ptrdiff_t>(found.events.size()), run.events().end(),
        [&](const Event& later) { return later.transition->thread() == thread; });
    TransitionPtr one = event != run.events().end() ? event->transition : run.pending(thread);
    if (one) next.push_back(one);
  }
  return next;
}

}  // namespace

/// The first events of the run so far, before anything is done that makes the target forget it.
void Explorer::lookForRaces(std::size_t count) {
  AccessLog log = target_.accesses();
  if (log.accesses.empty()) return;
  if (log.isFull) summary_.accessesLost = true;
  const std::vector<Event>& all = run_.events();
  bool isPart = count < all.size();
  std::vector<Event> part(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(isPart ? count : 0));
  Races races = dataRaces(isPart ? part : all, log, limits_.races);
  if (races.isPartial) summary_.accessesLost = true;
  if (races.anyMeant) summary_.racesMeant = true;
  for (const Race& race : races.found) {
    Finding found;
    found.kind = Finding::Kind::Race;
    found.race = race;
    if (known_.contains(found.key())) continue;
    found.trace = summary_.traces + summary_.blocked + 1;
    found.initial = run_.initial();
    std::size_t last = race.second.access.segment == 0 ? 0 : race.second.event + 1;
    found.events.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(last));
    found.finishes = last == all.size() && run_.stop().kind != Stop::Kind::Waiting;
    found.state = stateAfter(found);
    found.pending = nextAfter(found, run_);
    races_.push_back(std::move(found));
  }
  racy_.insert(racy_.end(), races.bytes.begin(), races.bytes.end());
}

void Explorer::reportRaces() {
  for (Finding& found : std::exchange(races_, {})) {
    if (limits_.firstBugOnly && summary_.bugs > 0) return;
    report(std::move(found));
  }
}

/// Are there locations which are racy, and have not been known to be? From now on accesses to them are
/// operations.
bool Explorer::promoteRaces() {
  std::vector<MemoryRange> racy = merged(std::exchange(racy_, {}));
  std::erase_if(racy, [&](const MemoryRange& range) { return covers(promoted_, range); });
  if (isTrial_ || racy.empty()) return false;
  if (limits_.firstBugOnly && summary_.bugs > 0) {
    summary_.cut = Cut::FirstBug;  // even if it was the last run of the search
    return false;
  }
  std::vector<MemoryRange> all = promoted_;
  all.insert(all.end(), racy.begin(), racy.end());
  all = merged(std::move(all));
  bool may = limits_.races.promote && promotions_ < kPromotions && target_.promote(all);
  summary_.racesLeft = summary_.racesLeft || !may;
  if (!may) return false;
  ++promotions_;
  promoted_ = std::move(all);
  return true;
}

/// Are these lines that no race is known of? Library functions have many lines, of which nobody wants to hear
/// one after the other.
bool Explorer::isNewRace(const Finding& found) {
  std::vector<std::string> lines;
  for (const Stack& stack : found.rehearsal.accesses) lines.push_back(limits_.races.line(stack));
  if (lines.size() != 2 || lines[0].empty() || lines[1].empty()) return true;
  std::ranges::sort(lines);
  return racyLines_.insert(lines[0] + ' ' + lines[1]).second;
}

/// Are both accesses made again, and does nothing order them?
bool Explorer::showsRace(const Finding& found) const {
  Races races = dataRaces(found.events, target_.accesses(), limits_.races);
  return std::ranges::any_of(races.found,
                             [&](const Race& race) { return race.places == found.race->places; });
}

}  // namespace mcmini
