#include <unistd.h>
#include <catch2/catch.hpp>

#include <map>

#include "core/report/walkthrough.hpp"
#include "test/support/exploration.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

constexpr std::uint64_t kM = 'm';
constexpr std::uint64_t kN = 'n';

struct Position {
  std::map<std::uint32_t, Walkthrough::Next> next;
  std::map<std::string, std::string> objects;
};

/// What the changes up to a position come to.
Position at(const Walkthrough& walk, std::size_t position) {
  Position sum;
  for (std::size_t i = 0; i <= position; ++i) {
    for (const auto& next : walk.positions[i].next) sum.next[next.thread] = next;
    for (const auto& object : walk.positions[i].objects) sum.objects[object.name] = object.state;
  }
  return sum;
}

Walkthrough walkOfFirstBug(const Program& program) {
  Exploration found = explore(program);
  REQUIRE_FALSE(found.findings.empty());
  return walkthroughOf(found.findings.front(), Symbolizer(getpid()));
}

Walkthrough walkIntoDeadlock() {
  return walkOfFirstBug(parallel({{lock(kM), lock(kN)}, {lock(kN), lock(kM)}}));
}

TEST_CASE("a walk through a run begins before its first step and ends after its last", "[walkthrough]") {
  Walkthrough walk = walkIntoDeadlock();
  REQUIRE(walk.positions.size() == walk.steps.size() + 1);
  CHECK(at(walk, 0).objects.size() == 0U);
  REQUIRE(at(walk, 0).next.size() == 1);
  CHECK(at(walk, 0).next[0].can);
  CHECK(at(walk, walk.steps.size()).next.size() == walk.threads.size());
}

TEST_CASE("what a thread does next at a position is what it does when its turn comes", "[walkthrough]") {
  Walkthrough walk = walkIntoDeadlock();
  for (std::size_t i = 0; i < walk.steps.size(); ++i) {
    INFO("step " << i + 1);
    Walkthrough::Next next = at(walk, i).next[walk.steps[i].thread];
    CHECK(next.call == walk.steps[i].call);
    CHECK(next.can);
  }
}

TEST_CASE("at the end of a deadlock nobody can move, and both locks are taken", "[walkthrough]") {
  Walkthrough walk = walkIntoDeadlock();
  Position end = at(walk, walk.steps.size());
  for (const auto& [thread, next] : end.next) {
    INFO("thread " << thread);
    bool couldMove = next.can && !next.ended;
    CHECK_FALSE(couldMove);
  }
  CHECK(end.objects["0x6d"] == "taken");
  CHECK(end.objects["0x6e"] == "taken");
}

TEST_CASE("a position tells only what is different from the one before", "[walkthrough]") {
  Walkthrough walk = walkIntoDeadlock();
  for (std::size_t i = 1; i < walk.positions.size(); ++i) {
    INFO("position " << i);
    Position before = at(walk, i - 1);
    for (const auto& next : walk.positions[i].next) {
      bool isNew = !before.next.contains(next.thread) || !(before.next[next.thread] == next);
      CHECK(isNew);
    }
  }
}

TEST_CASE("a thread that has crashed does nothing any more, but has not ended", "[walkthrough]") {
  Walkthrough walk = walkOfFirstBug(parallel({{lock(kM), crash()}}));
  Walkthrough::Next last = at(walk, walk.steps.size()).next[walk.steps.back().thread];
  CHECK(last.call.size() == 0U);
  CHECK_FALSE(last.ended);
}

TEST_CASE("a thread that never does anything is there, nevertheless", "[walkthrough]") {
  Walkthrough walk = walkOfFirstBug(Program{{crash()}});
  REQUIRE(walk.positions.size() == 1);
  CHECK(at(walk, 0).next.size() == 1);
}

TEST_CASE("a misuse is not carried out: its thread stands before it", "[walkthrough]") {
  Walkthrough walk = walkOfFirstBug(parallel({{unlock(kM)}}));
  Walkthrough::Next last = at(walk, walk.steps.size()).next[1];
  CHECK(last.call.size() > 0U);
  CHECK(last.can);
}

}  // namespace
}  // namespace mcmini
