#include <catch2/catch.hpp>

#include <algorithm>

#include "core/search/switches.hpp"
#include "test/support/exploration.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

constexpr std::uint64_t kM = 'm';
constexpr std::uint64_t kN = 'n';
constexpr std::uint64_t kS = 's';

Finding firstFinding(const Program& program) {
  Exploration found = explore(program);
  REQUIRE_FALSE(found.findings.empty());
  return found.findings.front();
}

Switches switchesOf(const Finding& finding) {
  return switchesOf(finding.events, finding.initial, finding.pending);
}

/// The threads of the events that begin with a preemption.
std::vector<std::uint32_t> intruders(const Finding& finding) {
  std::vector<std::uint32_t> threads;
  Switches switches = switchesOf(finding);
  REQUIRE(switches.preempted.size() == finding.events.size());
  for (std::size_t i = 0; i < finding.events.size(); ++i)
    if (switches.preempted[i]) threads.push_back(index(finding.events[i].transition->thread()));
  CHECK(threads.size() == switches.preemptions);
  return threads;
}

/// Main waits for its threads.
Program joined(const Script& one, const Script& other, const Script& before = {}) {
  return parallel({one, other}, before, {join(0), join(1)});
}

TEST_CASE("a thread that is left between two locks that it could take is preempted", "[switches]") {
  Finding finding = firstFinding(
      joined({lock(kM), lock(kN), unlock(kN), unlock(kM)}, {lock(kN), lock(kM), unlock(kM), unlock(kN)}));
  CHECK(finding.kind == Finding::Kind::Deadlock);
  CHECK(switchesOf(finding).all == 2);  // from main, which cannot join yet, to one, and on to the other
  CHECK(intruders(finding) == std::vector<std::uint32_t>{2});
}

TEST_CASE("a thread that has to wait is not preempted", "[switches]") {
  Finding finding = firstFinding(joined({wait(kS), fail("there it is")}, {post(kS)}));
  CHECK(finding.kind == Finding::Kind::Assertion);
  CHECK(switchesOf(finding).all >= 2);
  CHECK(std::ranges::count(intruders(finding), 2U) == 0);
}

TEST_CASE("a thread that could go on at the end, but never did, was preempted", "[switches]") {
  Finding finding = firstFinding(joined({lock(kM), lock(kN), unlock(kN), unlock(kM)},
                                        {trylock(kM), unless(0, fail("taken")), unlock(kM)}));
  CHECK(finding.kind == Finding::Kind::Assertion);
  CHECK(intruders(finding) == std::vector<std::uint32_t>{2});
  finding.pending.clear();
  CHECK(switchesOf(finding).preemptions == 0);
}

TEST_CASE("the end of the process waits for the others: who is about to do it is not preempted",
          "[switches]") {
  Finding finding = firstFinding(parallel({{lock(kM), unlock(kM)}}, {}, exitWith(3)));
  CHECK(finding.kind == Finding::Kind::Exit);
  CHECK(switchesOf(finding).all == 2);  // to the thread and back
  CHECK(switchesOf(finding).preemptions == 0);
}

TEST_CASE("what breaks a rule has its place among the switches", "[switches]") {
  Finding finding = firstFinding(joined({lock(kM), lock(kN), unlock(kN), unlock(kM)}, {unlock(kM)}));
  CHECK(finding.kind == Finding::Kind::Misuse);
  CHECK(finding.events.back().doomed);
  Switches with = switchesOf(finding);
  finding.events.pop_back();
  CHECK(switchesOf(finding).all <= with.all);
}

}  // namespace
}  // namespace mcmini
