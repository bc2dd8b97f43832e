#include "test/support/brute_force.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/search/finding.hpp"
#include "plugins/two_orders.hpp"

namespace mcmini {

namespace {

struct TooLarge {};

/// A place in the tree of all interleavings.
struct Place {
  ModelState state;
  std::vector<std::optional<ScriptedThread>> threads;
  std::vector<TransitionPtr> pending;
  std::vector<std::uint32_t> taken;
  std::vector<TransitionPtr> doomed;
  bool lost = false;  // has a thread come to grief?
  Memory memory;
  bool exited = false;
};

class BruteForce {
 public:
  BruteForce(const Program& program, Labels& labels, BruteForceLimits limits, const Model& model)
      : program_(program), limits_(limits), model_(model), builder_(labels) {}

  Behaviours run() {
    Place start;
    start.state = ModelState(model_.policies);
    begin(start, kMainThread, 0);
    if (start.threads[0]->trouble() != nullptr) return found_;
    noteRaces(start);
    Place fork = beginning(std::move(start));
    visit(fork);
    if (limits_.learns) {
      seen_.clear();
      found_.traces.clear();
      found_.deadlocks.clear();
      found_.deadlockKeys.clear();
      visit(fork);
    }
    return found_;
  }

 private:
  /// Takes what has no alternative.
  Place beginning(Place place) {
    for (auto events = runnable(place); events.size() == 1; events = runnable(place)) {
      builder_.push(events.front());
      place = after(std::move(place), events.front());
    }
    return place;
  }

  void visit(const Place& place) {
    Trace trace = builder_.trace();
    if (!seen_.insert(trace).second) return;
    if (seen_.size() > limits_.partialTraces) throw TooLarge{};
    if (limits_.checkPromises) compareAll(place);
    noteDeadlock(place);
    noteRaces(place);
    auto events = runnable(place);
    if (events.empty()) conclude(place, trace);
    for (const TransitionPtr& event : events) {
      builder_.push(event);
      visit(after(place, event));
      builder_.pop();
    }
  }

  void compareAll(const Place& place) {
    for (const TransitionPtr& a : place.pending)
      for (const TransitionPtr& b : place.pending)
        if (a && b && a->thread() < b->thread()) comparePromises(place.state, *a, *b, found_.brokenPromises);
  }

  /// Who is about to use a variable can do so right after another one who is.
  void noteRaces(const Place& place) {
    auto isWrite = [](const Transition& t) { return t.visible().name == "variable.write"; };
    for (const TransitionPtr& a : place.pending)
      for (const TransitionPtr& b : place.pending)
        if (a && b && a->thread() < b->thread() && limits_.data.contains(a->visible().object) &&
            a->visible().object == b->visible().object && (isWrite(*a) || isWrite(*b)))
          found_.races = true;
  }

  void conclude(const Place& place, const Trace& trace) {
    found_.traces.insert(trace);
    bool cut = std::ranges::any_of(place.taken, [&](std::uint32_t n) { return n >= limits_.threadDepth; });
    bool blocked = std::ranges::any_of(place.pending, [](const TransitionPtr& t) { return t != nullptr; });
    if (blocked && !cut && !place.exited && !place.lost) found_.deadlocks.insert(trace);
  }

  void noteDeadlock(const Place& place) {
    Finding finding;
    finding.kind = Finding::Kind::Deadlock;
    finding.state = place.state;
    for (const TransitionPtr& t : place.pending) {
      if (!t) continue;
      ModelState after = place.state;
      if (t->enabled(place.state) && !t->byChance(t->apply(after))) return;
      finding.blocked.push_back(t);
      finding.deadlocked.push_back(t->thread());
    }
    if (!finding.blocked.empty() && !place.exited && !place.lost) found_.deadlockKeys.insert(finding.key());
  }

  /// What can happen next. The end of the process comes last.
  static std::vector<TransitionPtr> runnable(const Place& place) {
    std::vector<TransitionPtr> events;
    if (place.exited) return events;
    for (const TransitionPtr& event : place.pending)
      if (event && event->enabled(place.state) &&
          std::ranges::none_of(place.doomed, [&](const TransitionPtr& d) { return dependent(*d, *event); }))
        events.push_back(event);
    bool others = std::ranges::any_of(events, [](const TransitionPtr& t) { return !t->endsProcess(); });
    if (others) std::erase_if(events, [](const TransitionPtr& t) { return t->endsProcess(); });
    return events;
  }

  Place after(Place place, const TransitionPtr& event) {
    std::uint32_t who = index(event->thread());
    ScriptedThread& thread = *place.threads[who];
    ++place.taken[who];
    place.pending[who] = nullptr;
    if (event->misuse(place.state, PlainNames{})) {
      found_.bugs.insert(bugName("misuse", event->visible().site));
      place.doomed.push_back(event);
      place.lost = true;
      return place;
    }
    const Instruction instruction = thread.instruction();
    Result result = event->apply(place.state);
    thread.take(result, place.memory);
    if (const Instruction* trouble = thread.trouble(); trouble != nullptr && !instruction.ends) {
      found_.bugs.insert(
          bugName(trouble->kind == Instruction::Kind::Crash ? "crash" : "assertion", thread.site()));
      place.lost = true;
    }
    if (instruction.ends) {
      place.exited = true;
      if (instruction.argument != 0) found_.bugs.insert(bugName("exit", event->visible().site));
    }
    announce(place, event->thread());
    if (instruction.creates) begin(place, ThreadId{static_cast<std::uint32_t>(result)}, instruction.argument);
    for (TransitionPtr& pending : place.pending) pending = asIn(place.state, std::move(pending));
    return place;
  }

  void begin(Place& place, ThreadId id, std::size_t script) {
    std::size_t size = std::max<std::size_t>(place.threads.size(), index(id) + 1);
    place.threads.resize(size);
    place.pending.resize(size);
    place.taken.resize(size);
    place.threads[index(id)] = ScriptedThread(program_, script, id, 1, place.memory);
    announce(place, id);
  }

  void announce(Place& place, ThreadId id) {
    const ScriptedThread& thread = *place.threads[index(id)];
    if (!thread.waits() || place.taken[index(id)] >= limits_.threadDepth) return;
    place.pending[index(id)] = model_.catalog.find(thread.pending().op)->make(thread.pending(), place.state);
  }

  const Program& program_;
  const BruteForceLimits limits_;
  const Model& model_;
  TraceBuilder builder_;
  std::unordered_set<Trace> seen_;
  Behaviours found_;
};

}  // namespace

std::optional<Behaviours> bruteForce(const Program& program, Labels& labels, BruteForceLimits limits,
                                     const Model& model) {
  try {
    return BruteForce(program, labels, limits, model).run();
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

std::string bugName(std::string_view kind, CodeAddress site) {
  return std::string(kind) + " at " + std::to_string(site);
}

}  // namespace mcmini
