// The searches on small programs: which traces they explore, and in how many runs.

#include <catch2/catch.hpp>

#include "test/support/brute_force.hpp"
#include "test/support/exploration.hpp"
#include "test/support/known_programs.hpp"
#include "test/support/test_model.hpp"

using namespace mcmini;

namespace {

/// Explores each of the program's traces once, and nothing else.
void requireOptimal(const Program& program, std::size_t traces) {
  INFO(program.text());
  Labels labels;
  auto all = bruteForce(program, labels);
  REQUIRE(all);
  REQUIRE(all->traces.size() == traces);
  Exploration explored = explore(program, labels);
  for (const Trace& trace : all->traces) {
    INFO("missed " << labels.text(trace));
    CHECK(explored.distinct().contains(trace));
  }
  CHECK(explored.traces.size() == traces);
  CHECK(explored.redundant() == 0);
  CHECK(explored.summary.blocked == 0);
  CHECK(explored.summary.cut == Cut::None);
}

void requireCount(const Program& program, std::uint64_t traces, std::uint64_t deadlocks = 0) {
  Exploration explored = explore(program);
  CHECK(explored.summary.traces == traces);
  CHECK(explored.summary.blocked == 0);
  CHECK(explored.redundant() == 0);
  CHECK(explored.deadlocks.size() == deadlocks);
}

/// A race that is lost when reversals are made from less than the whole run.
Program lateConflict() {
  return parallel({write('y', 1),
                   {write('z', 1), write('x', 1)},
                   write('y', 1),
                   {write('z', 1), read('x'), unless(0, write('y', 1))}});
}

/// A race of events that two runs share, and that is to be reversed only when the second run is known.
Program lateWaking() {
  return parallel({write('y', 1),
                   {write('y', 1), write('y', 1)},
                   {write('z', 1), read('x'), unless(0, write('y', 1))},
                   {write('z', 1), write('x', 1)}});
}

}  // namespace

TEST_CASE("a program of one thread has one trace", "[search]") {
  requireOptimal(Program{{{lock('m'), write('x', 1), unlock('m')}}}, 1);
}

TEST_CASE("threads without a common object have one trace", "[search]") {
  requireOptimal(parallel({{lock('m'), unlock('m')}, {lock('n'), unlock('n')}, read('x')}), 1);
}

TEST_CASE("each race of an operation is reversed, not only the last one", "[search]") {
  requireOptimal(parallel({read('x'), read('x'), write('x', 1)}), 4);
  requireOptimal(parallel({timedwait('s'), post('s'), post('s')}), 4);
}

TEST_CASE("a thread that is blocked at the end of a run is in a race as well", "[search]") {
  requireOptimal(abBa(), 3);
  CHECK(explore(abBa()).deadlocks.size() == 1);
}

TEST_CASE("what cannot happen is not tried", "[search]") {
  requireOptimal(parallel({post('s'), wait('s')}), 1);
  requireOptimal(parallel({wait('s'), post('s')}), 1);
  requireOptimal(parallel({{lock('m'), unlock('m')}, {lock('m'), unlock('m')}, {trylock('m'), when(0, unlock('m'))}}),
                 8);
}

TEST_CASE("a timed wait is explored with and without what it waits for", "[search]") {
  Program program = parallel({post('s'), {timedwait('s'), when(0, write('x', 1), write('y', 1))}});
  requireOptimal(program, 2);
  requireOptimal(parallel({timedwait('s'), {timedwait('s'), when(0, write('x', 1))}, post('s')}), 6);
}

TEST_CASE("a reversal takes along what happens later and does not depend on it", "[search]") {
  requireOptimal(lateConflict(), 16);
}

TEST_CASE("races of the prefix that runs share are looked at again when its continuation is another", "[search]") {
  requireOptimal(lateWaking(), 30);
}

TEST_CASE("events of a finished run are not asked about again", "[search]") {
  // A long private history, then one race: the second run must not look through the history.
  Script history;
  for (int i = 0; i < 200; ++i) history += Script{lock('h'), unlock('h')};
  Exploration explored = explore(parallel({{history, write('x', 1)}, {read('x')}}));
  CHECK(explored.summary.traces == 2);
  CHECK(explored.summary.transitions < 420);
}

TEST_CASE("philosophers, one of them left-handed, have 2^n - 2 traces", "[search][counts]") {
  for (std::uint64_t n : {3U, 4U, 5U, 6U}) requireCount(philosophers(n, true), (1U << n) - 2);
}

TEST_CASE("philosophers who all take the left fork first have 2^n - 1 traces and one deadlock", "[search][counts]") {
  for (std::uint64_t n : {3U, 4U, 5U, 6U}) requireCount(philosophers(n, false), (1U << n) - 1, 1);
}

TEST_CASE("n increments under a lock have n! traces", "[search][counts]") {
  requireCount(counter(3), 6);
  requireCount(counter(4), 24);
  requireCount(counter(5), 120);
  requireCount(counter(6), 720);
}

TEST_CASE("a writer and n readers have 2^n traces", "[search][counts]") {
  for (std::uint64_t n : {1U, 2U, 5U, 8U}) requireCount(readers(n), 1U << n);
}

TEST_CASE("last zero has as many traces as other optimal checkers count", "[search][counts]") {
  requireCount(lastZero(3), 12);
  requireCount(lastZero(4), 28);
  requireCount(lastZero(5), 64);
  requireCount(lastZero(8), 704);
  requireCount(lastZero(10), 3328);
}

TEST_CASE("indexer has as many traces as its collisions make", "[search][counts]") {
  requireCount(indexer(11), 1);
  requireCount(indexer(12), 8);
  requireCount(indexer(13), 64);
  requireCount(indexer(14), 512);
}

TEST_CASE("filesystem has as many traces as its collisions make", "[search][counts]") {
  requireCount(filesystem(13), 1);
  requireCount(filesystem(14), 2);
  requireCount(filesystem(16), 8);
  requireCount(filesystem(18), 32);
}

TEST_CASE("dpor explores every trace, in more runs", "[search]") {
  for (const Program& program :
       {philosophers(4, true), philosophers(4, false), counter(4), readers(3), lastZero(4), lateConflict(), lateWaking(),
        parallel({{trylock('m'), when(0, unlock('m'))}, {lock('m'), unlock('m')}, {trylock('m'), when(0, unlock('m'))}}),
        parallel({{wait('s'), post('s')}, {wait('s'), post('s')}, {post('s'), timedwait('s')}})}) {
    INFO(program.text());
    Labels labels;
    Exploration optimal = explore(program, labels);
    Exploration dpor = explore(program, labels, {.search = Search::Dpor});
    CHECK(dpor.distinct() == optimal.distinct());
    CHECK(dpor.deadlocks == optimal.deadlocks);
  }
  CHECK(explore(counter(4), {.search = Search::Dpor}).summary.blocked > 0);
}

TEST_CASE("naive search does every interleaving", "[search]") {
  Program program = parallel({read('x'), write('x', 1)}, {}, {join(0), join(1)});
  Labels labels;
  Exploration naive = explore(program, labels, {.search = Search::Naive});
  CHECK(naive.distinct() == explore(program, labels).distinct());
  // Main's second create falls before, between or after the three steps of the first thread, and so on.
  CHECK(naive.summary.traces > 20);
  CHECK(naive.summary.blocked == 0);
}

TEST_CASE("all searches find the same bugs", "[search]") {
  for (const Program& program :
       {abBa(), philosophers(3, false),
        parallel({{lock('m'), write('x', 1), unlock('m')}, {trylock('m'), when(0, unlock('m'), fail("busy"))}}),
        parallel({{read('x'), writeSum('x', 1)}, {read('x'), writeSum('x', 1)}}, {},
                 {join(0), join(1), read('x'), when(1, fail("lost update"))})}) {
    INFO(program.text());
    Labels labels;
    Exploration optimal = explore(program, labels);
    CHECK(optimal.summary.bugs == 1);
    for (Search search : {Search::Dpor, Search::Naive}) {
      Exploration other = explore(program, labels, {.search = search});
      CHECK(other.distinct() == optimal.distinct());
      CHECK(other.deadlocks == optimal.deadlocks);
      CHECK(other.bugs() == optimal.bugs());
      CHECK(other.summary.verdict == optimal.summary.verdict);
    }
  }
}

TEST_CASE("whether the target runs ahead makes no difference", "[search]") {
  for (const Program& program : {philosophers(3, false), counter(3), lastZero(3), lateConflict()}) {
    Labels labels;
    Exploration ahead = explore(program, labels);
    Exploration waits = explore(program, labels, {.runsAhead = false});
    CHECK(ahead.tookAhead > 0);
    CHECK(waits.tookAhead == 0);
    CHECK(ahead.traces == waits.traces);
    CHECK(ahead.summary.transitions == waits.summary.transitions);
    CHECK(ahead.bugs() == waits.bugs());
  }
}

TEST_CASE("each run is one launch of the target", "[search]") {
  Exploration explored = explore(counter(4));
  CHECK(explored.launches <= explored.summary.traces + 10);  // up to ten more to see whether it repeats itself
}
