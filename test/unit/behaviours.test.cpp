#include <catch2/catch.hpp>
#include <chrono>
#include <span>
#include <thread>

#include "test/support/brute_force.hpp"
#include "test/support/exploration.hpp"
#include "test/support/scripted_target.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

constexpr std::uint64_t kX = 'x';
constexpr std::uint64_t kY = 'y';
constexpr std::uint64_t kM = 'm';
constexpr std::uint64_t kN = 'n';
constexpr std::uint64_t kS = 's';

/// The optimal search does what brute force says, once each.
Exploration expectOptimal(const Program& program, std::size_t traces) {
  Labels labels;
  auto all = bruteForce(program, labels, {.partialTraces = 200'000});
  REQUIRE(all);
  CHECK(all->traces.size() == traces);
  Exploration found = explore(program, labels);
  CHECK(found.distinct() == all->traces);
  CHECK(found.traces.size() == traces);
  CHECK(found.summary.blocked == 0);
  CHECK(found.deadlocks == all->deadlocks);
  return found;
}

Script section(std::uint64_t mutex) {
  return {lock(mutex), unlock(mutex)};
}

Program philosophers(std::uint64_t n, bool allLeftFirst) {
  std::vector<Script> workers;
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t left = 'a' + i;
    std::uint64_t right = 'a' + (i + 1) % n;
    if (!allLeftFirst && i + 1 == n) std::swap(left, right);
    workers.push_back({lock(left), lock(right), unlock(left), unlock(right)});
  }
  return parallel(workers);
}

TEST_CASE("philosophers have 2^n - 2 behaviours, with all left first one more, a deadlock", "[search]") {
  for (std::uint64_t n = 2; n <= 4; ++n) {
    expectOptimal(philosophers(n, false), (1U << n) - 2);
    CHECK(expectOptimal(philosophers(n, true), (1U << n) - 1).deadlocks.size() == 1);
  }
  for (std::uint64_t n = 5; n <= 8; ++n) {
    CHECK(explore(philosophers(n, false)).traces.size() == (1U << n) - 2);
    Exploration found = explore(philosophers(n, true));
    CHECK(found.traces.size() == (1U << n) - 1);
    CHECK(found.deadlocks.size() == 1);
    CHECK(found.summary.bugs == 1);
  }
}

TEST_CASE("n critical sections of one mutex have n! orders", "[search]") {
  std::size_t factorial = 1;
  for (std::size_t n = 2; n <= 6; ++n) {
    factorial *= n;
    CHECK(explore(parallel(std::vector<Script>(n, section(kM)))).traces.size() == factorial);
  }
}

TEST_CASE("n readers and a writer have 2^n behaviours", "[search]") {
  for (std::size_t n = 1; n <= 5; ++n) {
    std::vector<Script> workers(n, read(kX));
    workers.push_back(write(kX, 1));
    CHECK(explore(parallel(workers)).traces.size() == std::size_t{1} << n);
  }
}

TEST_CASE("threads that share nothing have one behaviour", "[search]") {
  expectOptimal(parallel({section('a'), section('b'), section('c')}), 1);
}

TEST_CASE("last zero has the known numbers of behaviours", "[search]") {
  auto lastZero = [](std::uint64_t n) {
    // From cell n down, as long as the cell is not zero.
    Script down;
    for (std::uint64_t cell = 0; cell <= n; ++cell) down = Script{read('a' + cell), unless(0, down)};
    std::vector<Script> workers{down};
    for (std::uint64_t j = 1; j <= n; ++j) workers.push_back({read('a' + j - 1), writeSum('a' + j, 1)});
    return parallel(workers);
  };
  CHECK(explore(lastZero(3)).traces.size() == 12);
  CHECK(explore(lastZero(4)).traces.size() == 28);
  CHECK(explore(lastZero(5)).traces.size() == 64);
  CHECK(explore(lastZero(8)).traces.size() == 704);
}

TEST_CASE("every race is reversed, not only the last one", "[search]") {
  // The section of the second thread fits before, between and after those of the first.
  expectOptimal(parallel({{section(kM), section(kM)}, section(kM)}), 3);
}

TEST_CASE("an operation that is still blocked at the end races too", "[search]") {
  // If the first thread takes m for good, the second waits for ever; if the second is quicker, it does not.
  Exploration found = expectOptimal(parallel({lock(kM), section(kM)}), 2);
  CHECK(found.deadlocks.size() == 1);
}

TEST_CASE("a reversal that cannot happen is not tried", "[search]") {
  // The token comes from the second thread only.
  expectOptimal(parallel({wait(kS), {write(kX, 1), post(kS)}}), 1);
}

TEST_CASE("a wait with a time limit is one operation that takes what there is, or nothing", "[search]") {
  expectOptimal(parallel({{timedwait(kS), when(0, write(kX, 3))}, post(kS)}), 2);
}

TEST_CASE("a reversal is made of all that does not depend on its first event, whenever it came", "[search]") {
  // Found by generated programs: the end of a run decides which reversals are redundant.
  Script timedThenRead{timedwait(kS), read(kX), unless(0, write(kY, 1))};
  expectOptimal(
      parallel({write(kY, 1), timedThenRead, {write(kY, 1), timedwait(kS)}, {timedwait(kS), write(kX, 1)}}),
      36);
}

TEST_CASE("all searches find the same deadlocks", "[search]") {
  Program program =
      parallel({{lock(kM), lock(kN), unlock(kN), unlock(kM)}, {lock(kN), lock(kM), unlock(kM), unlock(kN)}});
  Labels labels;
  auto optimal = explore(program, labels);
  CHECK(optimal.deadlocks.size() == 1);
  CHECK(explore(program, labels, {.search = Search::Dpor}).deadlocks == optimal.deadlocks);
  CHECK(explore(program, labels, {.search = Search::Naive}).deadlocks == optimal.deadlocks);
  CHECK(explore(program, labels, {.search = Search::Naive}).traces.size() > optimal.traces.size());
}

TEST_CASE("a thread that crashes does not hide the bugs of others", "[search]") {
  Exploration found = explore(parallel({{read(kX), crash()}, {read(kY), fail("no")}}));
  CHECK(found.count(Finding::Kind::Crash) == 1);
  CHECK(found.count(Finding::Kind::Assertion) == 1);
  CHECK(found.traces.size() == 1);
}

TEST_CASE("a bound for each thread is searched completely and told", "[search]") {
  Limits limits;
  limits.threadDepth = 2;  // a start and a lock
  Exploration found = explore(parallel({section(kM), section(kM)}), {.limits = limits});
  CHECK(found.summary.threadDepthMet);
  CHECK(found.traces.size() == 2);
  CHECK(found.summary.bugs == 0);
}

TEST_CASE("an exploration stops where it is told to", "[search]") {
  Limits limits;
  limits.traces = 5;
  Exploration found = explore(parallel(std::vector<Script>(4, section(kM))), {.limits = limits});
  CHECK(found.traces.size() == 5);
  CHECK(found.summary.cut == Cut::Traces);
  limits = {};
  limits.firstBugOnly = true;
  found = explore(philosophers(3, true), {.limits = limits});
  CHECK(found.summary.bugs == 1);
  CHECK(found.summary.cut == Cut::FirstBug);
}

TEST_CASE("a program that does something else the second time is recognized", "[search]") {
  Program program = parallel({inLaunches(1, 1, lock(kM), lock(kN))});
  CHECK_THROWS_AS(explore(program), Nondeterminism);
}

/// Each run takes longer than anybody would like to wait.
class SlowTarget : public ScriptedTarget {
 public:
  using ScriptedTarget::ScriptedTarget;
  Stop launch(std::span<const Step> plan, std::uint32_t runAhead) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ScriptedTarget::launch(plan, runAhead);
  }
};

TEST_CASE("a program that does not repeat itself is told apart on a busy machine, too", "[search]") {
  SlowTarget target({{inLaunches(1, 3, lock(kM), lock(kN))}, 0});
  auto strategy = makeOptimal();
  Limits limits;
  Observer observer;
  Explorer explorer(target, testModel().catalog, *strategy, limits, observer);
  CHECK_THROWS_AS(explorer.run(), Nondeterminism);
}

TEST_CASE("an operation that nobody models is named", "[search]") {
  CHECK_THROWS_AS(explore(parallel({unheardOf()})), UnknownOperation);
}

TEST_CASE("the end of the process comes last, and which thread ends it matters", "[search]") {
  Exploration found = explore(parallel({{write(kX, 1), exitWith(0)}, {write(kX, 2), exitWith(3)}}));
  CHECK(found.count(Finding::Kind::Exit) == 1);
  CHECK(found.traces.size() == 4);
}

}  // namespace
}  // namespace mcmini
