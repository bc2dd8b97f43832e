#include <catch2/catch.hpp>

#include "core/search/execution.hpp"
#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kOnce = 8;

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name,
            std::uint64_t argument = 0) {
  auto t = plugins.make(state, thread, name, kOnce, {argument});
  REQUIRE(t->enabled(state));
  return t->apply(state);
}

}  // namespace

TEST_CASE("the first caller runs the routine, the others wait and find it done", "[once]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  CHECK(take(plugins, state, 1, "once.begin") == 1);
  auto waiting = plugins.make(state, 2, "once.begin", kOnce);
  CHECK_FALSE(waiting->enabled(state));
  CHECK(waiting->blockedBy(state) == std::vector{ThreadId{1}});
  take(plugins, state, 1, "once.end", 1);
  CHECK(take(plugins, state, 2, "once.begin") == 0);
  CHECK(take(plugins, state, 0, "once.begin") == 0);
}

TEST_CASE("a routine that did not come to its end is run by the next caller", "[once]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  CHECK(take(plugins, state, 0, "once.begin") == 1);
  take(plugins, state, 0, "once.end", 0);
  CHECK(take(plugins, state, 1, "once.begin") == 1);
}

TEST_CASE("a routine that waits for itself is blocked by itself", "[once]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  take(plugins, state, 0, "once.begin");
  auto again = plugins.make(state, 0, "once.begin", kOnce);
  CHECK_FALSE(again->enabled(state));
  CHECK(again->blockedBy(state) == std::vector{kMainThread});
}

TEST_CASE("what is done and initialized anew is run again", "[once]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  take(plugins, state, 0, "once.begin");
  take(plugins, state, 0, "once.end", 1);
  take(plugins, state, 0, "once.again");
  CHECK_FALSE(plugins.make(state, 1, "once.begin", kOnce)->enabled(state));
  take(plugins, state, 0, "once.end", 1);
  CHECK(take(plugins, state, 1, "once.begin") == 0);
}

TEST_CASE("memory that was never initialized is no once control", "[once]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  CHECK(isMisuse(*plugins.make(state, 0, "once.begin", kOnce, {1}), state));
  CHECK_FALSE(isMisuse(*plugins.make(state, 0, "once.begin", kOnce), state));
}
