#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <set>

#include "core/search/simplest.hpp"
#include "test/support/exploration.hpp"
#include "test/support/random_program.hpp"
#include "test/support/scripted_target.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

constexpr std::uint64_t kM = 'm';
constexpr std::uint64_t kN = 'n';
constexpr std::uint64_t kS = 's';
constexpr std::uint64_t kX = 'x';

/// Tries everything from a place in a program, each behaviour once, to find a run that ends well.
class Hope {
 public:
  Hope(const Program& program, const ModelState& initial)
      : target_(program, false),
        run_(target_, testModel().catalog, {kNoLimit, kNoLimit}, Loops(1), initial),
        builder_(labels_) {}

  /// Nothing if there are too many.
  std::optional<bool> after(const std::vector<Event>& events, std::size_t steps) {
    seen_.clear();
    Branch way{0, {}};
    for (std::size_t i = 0; i < steps; ++i) {
      if (events[i].doomed) return false;
      way.then.push_back({events[i].transition});
    }
    bool found = search(way);
    return found || seen_.size() < kMost ? std::optional(found) : std::nullopt;
  }

 private:
  static constexpr std::uint32_t kNoLimit = 100'000;
  static constexpr std::size_t kMost = 1000;

  bool search(const Branch& way) {
    builder_.clear();
    for (const Planned& step : way.then) builder_.push(step.transition);
    if (seen_.size() >= kMost || !seen_.insert(builder_.trace()).second) return false;
    run_.restart(way);
    if (run_.stop().kind != Stop::Kind::Waiting || run_.enabled().empty()) return endsWell();
    std::vector<TransitionPtr> next;
    for (ThreadId thread : run_.enabled())
      if (!isMisuse(*run_.pending(thread), run_.state())) next.push_back(run_.pending(thread));
    return std::ranges::any_of(next, [&](const TransitionPtr& step) {
      Branch further = way;
      further.then.push_back({step});
      return search(further);
    });
  }

  bool endsWell() {
    if (run_.stop().kind == Stop::Kind::Waiting && blockedTransitions(run_).empty()) run_.finish();
    return run_.stop().kind == Stop::Kind::Exited && run_.stop().status == 0;
  }

  ScriptedTarget target_;
  Execution run_;
  Labels labels_;
  TraceBuilder builder_;
  std::set<Trace> seen_;
};

struct Explained {
  std::vector<Finding> findings;
  Summary summary;
  ModelState initial;
};

class Collector : public Observer {
 public:
  explicit Collector(Explained& into) : into_(into) {}
  void onFinding(const Finding& finding) override { into_.findings.push_back(finding); }

 private:
  Explained& into_;
};

Explained explain(const Program& program, Search search = Search::Optimal) {
  Explained explained;
  ScriptedTarget target(program);
  Limits limits;
  limits.simplify = true;
  auto strategy = search == Search::Naive ? makeNaive() : makeOptimal();
  Collector collector(explained);
  Explorer explorer(target, testModel().catalog, *strategy, limits, collector);
  explorer.run();
  explained.summary = explorer.summary();
  explained.initial = explorer.lastRun().initial();
  return explained;
}

Finding only(const Explained& explained, Finding::Kind kind) {
  REQUIRE(explained.findings.size() == 1);
  REQUIRE(explained.findings.front().kind == kind);
  return explained.findings.front();
}

/// Does the program do these events, one after the other, with these results, and what is waited for in the
/// end?
bool isRun(const Program& program, const Finding& found, ModelState state) {
  ScriptedTarget target(program, false);
  Stop stop = target.launch({}, 0);
  for (const Event& event : found.events) {
    const Transition& t = *event.transition;
    if (stop.kind != Stop::Kind::Waiting || !(target.pending(t.thread()) == t.visible())) return false;
    if (!t.enabled(state)) return false;
    if (event.doomed) return found.kind == Finding::Kind::Misuse && isMisuse(t, state);
    if (t.apply(state) != event.result) return false;
    Step step{t.thread(), event.result, event.last};
    stop = target.resume({&step, 1}, 0);
  }
  if (found.kind != Finding::Kind::Deadlock)
    return stop.kind == found.stop.kind || stop.kind == Stop::Kind::Waiting;
  return std::ranges::all_of(found.blocked, [&](const TransitionPtr& t) {
    return target.pending(t->thread()) == t->visible() && !t->enabled(state);
  });
}

Program abBa() {
  return parallel(
      {{lock(kM), lock(kN), unlock(kN), unlock(kM)}, {lock(kN), lock(kM), unlock(kM), unlock(kN)}});
}

Program philosophers(std::uint64_t n) {
  std::vector<Script> workers;
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t left = 'a' + i;
    std::uint64_t right = 'a' + (i + 1) % n;
    workers.push_back({lock(left), lock(right), unlock(right), unlock(left)});
  }
  return parallel(workers);
}

TEST_CASE("a deadlock of two threads is shown with two switches, the second lock is the point of no return",
          "[simplest]") {
  for (Search search : {Search::Optimal, Search::Naive}) {
    Finding found = only(explain(abBa(), search), Finding::Kind::Deadlock);
    CHECK(switchesOf(found).all == 2);  // main, the one, the other
    REQUIRE(found.noReturn);
    CHECK(*found.noReturn + 1 == found.events.size());
  }
}

TEST_CASE("the point of no return of dining philosophers is the last fork", "[simplest]") {
  for (std::uint64_t n = 2; n <= 6; ++n) {
    Finding found = only(explain(philosophers(n)), Finding::Kind::Deadlock);
    CHECK(switchesOf(found).all == n);
    REQUIRE(found.noReturn);
    CHECK(*found.noReturn + 1 == found.events.size());
  }
}

TEST_CASE("the point of no return of a wakeup that is lost is the step that loses it", "[simplest]") {
  // Who comes first takes the token for good, though nobody needs it; the other one needs it.
  Program program = parallel({{timedwait(kS), read(kX)}, wait(kS)}, post(kS));
  Finding found = only(explain(program), Finding::Kind::Deadlock);
  REQUIRE(found.noReturn);
  CHECK(found.events[*found.noReturn].transition->op() == nameId("semaphore.timedwait"));
  CHECK(*found.noReturn + 1 < found.events.size());
}

TEST_CASE("the point of no return of a failed assertion is what makes it fail, not where it fails",
          "[simplest]") {
  // Who reads between the two writes fails a little later.
  Program program =
      parallel({{read(kX), when(1, {read('y'), read('z'), fail("one")})}}, {}, {write(kX, 1), write(kX, 2)});
  Finding found = only(explain(program), Finding::Kind::Assertion);
  REQUIRE(found.noReturn);
  CHECK(found.events[*found.noReturn].transition->op() == nameId("variable.read"));
  CHECK(found.events[*found.noReturn].result == 1);
}

TEST_CASE("a bug that is in every run has no point of no return", "[simplest]") {
  CHECK_FALSE(only(explain(parallel({{lock(kM), crash()}, write(kX, 1)})), Finding::Kind::Crash).noReturn);
}

TEST_CASE("a failing run holds only what led to the failure", "[simplest]") {
  Script busy{lock(kN), unlock(kN), lock(kN), unlock(kN)};
  Finding found = only(explain(parallel({busy, busy, {read(kX), crash()}})), Finding::Kind::Crash);
  for (const Event& event : found.events)
    CHECK((event.transition->thread() == kMainThread || event.transition->thread() == ThreadId{3}));
}

TEST_CASE("another trace with fewer switches takes the place of the one that was found", "[simplest]") {
  // The one that crashes needs just one of the three writes before it.
  Script writer{write(kX, 1), write('y', 1), write(kX, 2)};
  Script victim{read('y'), read(kX), when(1, crash()), when(2, crash())};
  Explained explained = explain(parallel({writer, victim}));
  for (const Finding& found : explained.findings) CHECK(switchesOf(found).all <= 2);
}

struct Tally {
  std::size_t findings = 0;
  std::size_t simpler = 0;
  std::size_t pointed = 0;
};

void tryOut(std::uint64_t seed, const Ingredients& ingredients, Tally& tally) {
  Program program = randomProgram(seed, ingredients);
  Exploration plain = explore(program);
  if (plain.findings.empty()) return;
  INFO("seed " << seed);
  Explained explained = explain(program);
  REQUIRE(explained.findings.size() == plain.findings.size());
  CHECK(explained.summary.traces == plain.summary.traces);
  CHECK(explained.summary.transitions == plain.summary.transitions);
  Hope hope(program, explained.initial);
  for (std::size_t i = 0; i < plain.findings.size(); ++i) {
    const Finding& found = explained.findings[i];
    ++tally.findings;
    CHECK(found.key() == plain.findings[i].key());

    std::size_t before = switchesOf(plain.findings[i]).all;
    CHECK(switchesOf(found).all <= before);
    CHECK((found.switchesWhenFound == before || found.switchesWhenFound == 0));
    tally.simpler += switchesOf(found).all < before ? 1 : 0;
    if (canBeFollowed(found)) CHECK(isRun(program, found, explained.initial));
    if (!found.noReturn) continue;
    auto hopeful = hope.after(found.events, *found.noReturn);
    auto lost = hope.after(found.events, *found.noReturn + 1);
    if (!hopeful || !lost) continue;
    ++tally.pointed;
    CHECK(*hopeful);
    CHECK_FALSE(*lost);
  }
}

void campaign(std::uint64_t first, std::uint64_t programs) {
  Tally tally;
  for (std::uint64_t i = 0; i < programs; ++i) {
    Ingredients ingredients;
    ingredients.semaphores = i % 4 >= 1;
    ingredients.threads = i % 4 >= 2;
    ingredients.exits = i % 4 == 3;
    tryOut(first + i, ingredients, tally);
  }
  CAPTURE(tally.findings, tally.simpler, tally.pointed);
  CHECK(tally.findings > programs / 4);
  CHECK(tally.simpler > 0);
  CHECK(tally.pointed > programs / 20);
}

TEST_CASE("on generated programs the run that is shown is one, with the same bug and no more switches",
          "[simplest]") {
  campaign(1, 200);
}

TEST_CASE("on many generated programs the run that is shown is one, with the same bug",
          "[.campaign][campaign]") {
  campaign(500'000, 5'000);
}

}  // namespace
}  // namespace mcmini
