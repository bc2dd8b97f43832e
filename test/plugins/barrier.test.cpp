#include <catch2/catch.hpp>
#include <cerrno>

#include "core/search/execution.hpp"
#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kBarrier = 8;
constexpr Result kSerial = -1;

TransitionPtr on(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread,
                 const std::string& name, std::uint64_t argument = 0) {
  return plugins.make(state, thread, name, kBarrier, {0, argument});
}

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name,
            std::uint64_t argument = 0) {
  auto t = on(plugins, state, thread, name, argument);
  REQUIRE(t->enabled(state));
  REQUIRE_FALSE(isMisuse(*t, state));
  return t->apply(state);
}

ModelState forThreads(const BuiltIn& plugins, std::uint64_t count) {
  ModelState state = plugins.state(4);
  take(plugins, state, 0, "barrier.init", count);
  return state;
}

bool canLeave(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread) {
  return on(plugins, state, thread, "barrier.leave")->enabled(state);
}

}  // namespace

TEST_CASE("threads leave a barrier when as many have come as it counts, and one is told", "[barrier]") {
  BuiltIn plugins;
  ModelState state = forThreads(plugins, 3);
  take(plugins, state, 3, "barrier.arrive");
  take(plugins, state, 1, "barrier.arrive");
  CHECK_FALSE(canLeave(plugins, state, 1));
  take(plugins, state, 2, "barrier.arrive");
  CHECK(take(plugins, state, 3, "barrier.leave") == 0);
  CHECK(take(plugins, state, 1, "barrier.leave") == kSerial);
  CHECK(take(plugins, state, 2, "barrier.leave") == 0);
}

TEST_CASE("a barrier gathers its next round while the last one leaves", "[barrier]") {
  BuiltIn plugins;
  ModelState state = forThreads(plugins, 2);
  take(plugins, state, 1, "barrier.arrive");
  take(plugins, state, 2, "barrier.arrive");
  take(plugins, state, 1, "barrier.leave");
  take(plugins, state, 1, "barrier.arrive");
  CHECK_FALSE(canLeave(plugins, state, 1));
  CHECK(canLeave(plugins, state, 2));
  take(plugins, state, 2, "barrier.leave");
  take(plugins, state, 2, "barrier.arrive");
  CHECK(take(plugins, state, 1, "barrier.leave") == kSerial);
  CHECK(take(plugins, state, 2, "barrier.leave") == 0);
}

TEST_CASE("arrivals have an order only if more threads come than a barrier counts", "[barrier]") {
  BuiltIn plugins;
  ModelState state = forThreads(plugins, 2);
  auto first = on(plugins, state, 1, "barrier.arrive");
  auto second = on(plugins, state, 2, "barrier.arrive");
  CHECK_FALSE(dependent(*first, *second));
  auto third = on(plugins, state, 3, "barrier.arrive");
  CHECK(dependent(*first, *second));
  CHECK(dependent(*second, *third));
}

TEST_CASE("a thread that comes in time is waited for, and those of other rounds are not", "[barrier]") {
  BuiltIn plugins;
  ModelState state = forThreads(plugins, 2);
  auto second = on(plugins, state, 2, "barrier.arrive");
  take(plugins, state, 1, "barrier.arrive");
  auto leave = on(plugins, state, 1, "barrier.leave");
  CHECK(dependent(*leave, *second));
  CHECK_FALSE(coenabled(*leave, *second));
  second->apply(state);
  take(plugins, state, 2, "barrier.leave");
  CHECK_FALSE(dependent(*leave, *on(plugins, state, 2, "barrier.arrive")));
}

TEST_CASE("a barrier for nobody cannot be made", "[barrier]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  CHECK(take(plugins, state, 0, "barrier.init", 0) == EINVAL);
  CHECK(isMisuse(*on(plugins, state, 0, "barrier.arrive"), state));
}

TEST_CASE("a barrier is not destroyed while threads wait at it, and not before all have left", "[barrier]") {
  BuiltIn plugins;
  ModelState state = forThreads(plugins, 2);
  take(plugins, state, 1, "barrier.arrive");
  CHECK(isMisuse(*on(plugins, state, 0, "barrier.destroy"), state));
  CHECK(isMisuse(*on(plugins, state, 0, "barrier.init", 2), state));
  take(plugins, state, 2, "barrier.arrive");
  take(plugins, state, 1, "barrier.leave");
  auto destroy = on(plugins, state, 1, "barrier.destroy");
  CHECK_FALSE(destroy->enabled(state));
  CHECK(destroy->blockedBy(state) == std::vector{ThreadId{2}});
  take(plugins, state, 2, "barrier.leave");
  take(plugins, state, 1, "barrier.destroy");
  CHECK(isMisuse(*on(plugins, state, 2, "barrier.arrive"), state));
}

TEST_CASE("a barrier that a library initialized before main can be used", "[barrier]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  for (std::uint32_t thread : {0U, 1U}) {
    auto arrive = plugins.make(state, thread, "barrier.arrive", kBarrier, {3});
    CHECK_FALSE(isMisuse(*arrive, state));
    arrive->apply(state);
  }
  CHECK(plugins.make(state, 1, "barrier.leave", kBarrier, {3})->apply(state) == 0);
}
