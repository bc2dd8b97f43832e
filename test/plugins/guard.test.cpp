#include <catch2/catch.hpp>

#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kGuard = 8;

TransitionPtr comes(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread) {
  return plugins.make(state, thread, "guard.acquire", kGuard);
}

void release(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, std::uint64_t completes) {
  auto t = plugins.make(state, thread, "guard.release", kGuard, {completes});
  REQUIRE(t->enabled(state));
  t->apply(state);
}

}  // namespace

TEST_CASE("the first to come initializes a static variable, and the others wait", "[guard]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  CHECK(comes(plugins, state, 1)->apply(state) == 1);
  auto waiting = comes(plugins, state, 2);
  CHECK_FALSE(waiting->enabled(state));
  CHECK(waiting->blockedBy(state) == std::vector{ThreadId{1}});
  release(plugins, state, 1, 1);
  CHECK(waiting->enabled(state));
  CHECK(waiting->apply(state) == 0);
}

TEST_CASE("the next to come initializes a static variable if the first could not", "[guard]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  CHECK(comes(plugins, state, 0)->apply(state) == 1);
  release(plugins, state, 0, 0);
  CHECK(comes(plugins, state, 1)->apply(state) == 1);
}

TEST_CASE("the order of those who find a static variable initialized does not matter", "[guard]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  auto early = comes(plugins, state, 2);
  CHECK(comes(plugins, state, 1)->dependentWith(*early));
  comes(plugins, state, 0)->apply(state);
  release(plugins, state, 0, 1);
  auto late = comes(plugins, state, 1);
  CHECK(late->dependentWith(*early));
  CHECK_FALSE(late->dependentWith(*asIn(state, early)));
}
