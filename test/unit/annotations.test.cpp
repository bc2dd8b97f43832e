#include "test/support/annotations.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "test/support/brute_force.hpp"
#include "test/support/exploration.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

constexpr std::uint64_t kX = 'x';
constexpr std::uint64_t kM = 'm';
constexpr std::uint64_t kN = 'n';

/// The optimal search does what brute force says, once each, and the others miss nothing of it.
Exploration expectAll(const Program& program) {
  Labels labels;
  auto all = bruteForce(program, labels, {.partialTraces = 50'000});
  REQUIRE(all);
  Exploration found = explore(program, labels);
  CHECK(found.distinct() == all->traces);
  CHECK(found.redundant() == 0);
  CHECK(found.summary.blocked == 0);
  for (Search search : {Search::Dpor, Search::Naive})
    CHECK(explore(program, labels, {.search = search}).distinct() == all->traces);
  return found;
}

Exploration expectTraces(const Program& program, std::size_t traces) {
  Exploration found = expectAll(program);
  CHECK(found.traces.size() == traces);
  return found;
}

TEST_CASE("every value is chosen once", "[annotate]") {
  CHECK(expectTraces(Program{{choose(3)}, 0}, 3).findings.empty());
  expectTraces(Program{{Script{choose(1)}}, 0}, 1);
  expectTraces(Program{{Script{choose(2), choose(2), choose(5)}}, 0}, 20);
}

TEST_CASE("what threads choose makes behaviours, in which order they do so does not", "[annotate]") {
  expectTraces(parallel({choose(2), choose(3)}), 6);
  Exploration three = explore(parallel({choose(2), choose(3), choose(2)}));
  CHECK(three.traces.size() == 12);
  CHECK(three.distinct().size() == 12);
}

TEST_CASE("what a choice leads to is done where it was made", "[annotate]") {
  Script writer{choose(2), when(1, write(kX, 1))};
  expectTraces(parallel({writer, read(kX)}), 3);
  expectTraces(parallel({writer, writer}), 1 + 1 + 1 + 2);
}

TEST_CASE("a bug behind a choice is found, and its run has that choice", "[annotate]") {
  Program program = parallel({Script{choose(4), when(2, {read(kX), when(1, fail("two"))})}, write(kX, 1)});
  Limits simplify;
  simplify.simplify = true;
  for (Search search : {Search::Optimal, Search::Dpor, Search::Naive}) {
    Exploration found = explore(program, {.search = search, .limits = simplify});
    REQUIRE(found.findings.size() == 1);
    auto isTwo = [](const Event& event) { return event.transition->choices() == 4 && event.result == 2; };
    CHECK(std::ranges::count_if(found.findings[0].events, isTwo) == 1);
  }
}

TEST_CASE("where an assumption does not hold, the run ends without a bug", "[annotate]") {
  Exploration found = expectTraces(Program{{Script{choose(5), unless(3, assumeFalse())}}, 0}, 5);
  CHECK(found.findings.size() == 0);
  CHECK(found.summary.givenUp == 4);
  CHECK(std::ranges::count(found.endings, Ending::GivenUp) == 4);
}

TEST_CASE("who waits for a thread that gave up is no bug", "[annotate]") {
  Program joins = parallel({assumeFalse()}, {}, join(0));
  CHECK(expectTraces(joins, 1).findings.size() == 0);
  Program locks = parallel({Script{lock(kM), assumeFalse()}, Script{lock(kM), unlock(kM)}});
  CHECK(expectTraces(locks, 2).findings.size() == 0);
}

TEST_CASE("what others do wrong is found though a thread gave up", "[annotate]") {
  Script one{lock(kM), lock(kN), unlock(kN), unlock(kM)};
  Script two{lock(kN), lock(kM), unlock(kM), unlock(kN)};
  CHECK(explore(parallel({assumeFalse(), one, two})).count(Finding::Kind::Deadlock) == 1);
  CHECK(explore(parallel({assumeFalse(), Script{read(kX), when(0, crash())}})).count(Finding::Kind::Crash) ==
        1);
}

TEST_CASE("nobody moves within a section", "[annotate]") {
  Script adds{atomicBegin(), read(kX), writeSum(kX, 1), atomicEnd(), read(kX)};
  Script sees{read(kX), when(1, fail("in between"))};
  Script twice{atomicBegin(), write(kX, 1), atomicBegin(), write(kX, 2),
               atomicEnd(),   write(kX, 3), atomicEnd()};
  Script writes{atomicBegin(), write(kX, 1), write(kX, 2), atomicEnd()};
  CHECK(expectAll(parallel({writes, writes})).findings.empty());
  CHECK(explore(parallel({twice, sees})).findings.size() == 0);
  CHECK(explore(parallel({adds, sees})).findings.size() == 1);
}

TEST_CASE("who is kept from choosing for ever chooses all values in other orders", "[annotate]") {
  Script goesAway{atomicBegin(), atomicEnd(), atomicBegin(), assumeFalse()};
  expectAll(parallel({goesAway, choose(3)}));
  expectAll(parallel({goesAway, Script{choose(2), when(1, write(kX, 1)), choose(2)}}));
  Script sees{atomicBegin(), write(kX, 1), atomicEnd(), atomicBegin(), assumeFalse()};
  expectAll(parallel({sees, Script{choose(2), when(1, {read(kX), when(1, fail("one"))})}}));
}

TEST_CASE("to wait, to end or to leave where that cannot be is a misuse of sections", "[annotate]") {
  Script waits{atomicBegin(), lock(kM), unlock(kM), atomicEnd()};
  Exploration found = explore(parallel({waits, Script{lock(kM), unlock(kM)}}));
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings[0].kind == Finding::Kind::Misuse);
  const Finding& finding = found.findings[0];
  CHECK(offence(*finding.events.back().transition, finding.state, PlainNames{}) ==
        "1 has to wait in mutex.lock(m), in an atomic section, where no other thread can move to help it");
  CHECK(explore(parallel({atomicBegin()})).count(Finding::Kind::Misuse) == 1);
  CHECK(explore(parallel({atomicEnd()})).count(Finding::Kind::Misuse) == 1);
}

}  // namespace
}  // namespace mcmini
