#include <catch2/catch.hpp>

#include <cerrno>

#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kNormal = 0;
constexpr std::uint64_t kRecursive = 1;
constexpr std::uint64_t kErrorCheck = 2;

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name,
            std::uint64_t type = kNormal) {
  auto t = plugins.make(state, thread, name, 8, {type});
  REQUIRE(t->enabled(state));
  return t->apply(state);
}

}  // namespace

TEST_CASE("a locked mutex cannot be locked by another thread", "[mutex]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  take(plugins, state, 0, "mutex.lock");
  CHECK_FALSE(plugins.make(state, 1, "mutex.lock", 8)->enabled(state));
  CHECK(take(plugins, state, 1, "mutex.trylock") == EBUSY);
  take(plugins, state, 0, "mutex.unlock");
  CHECK(plugins.make(state, 1, "mutex.lock", 8)->enabled(state));
}

TEST_CASE("a time limit that is none is an error if the mutex is taken", "[mutex]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto invalid = plugins.make(state, 1, "mutex.timedlock", 8, {kNormal, 0, 2});
  take(plugins, state, 0, "mutex.lock");
  CHECK(take(plugins, state, 1, "mutex.timedlock") == ETIMEDOUT);
  CHECK(invalid->apply(state) == EINVAL);
  take(plugins, state, 0, "mutex.unlock");
  CHECK(invalid->apply(state) == 0);
}

TEST_CASE("a normal mutex cannot be locked twice by its owner", "[mutex]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  take(plugins, state, 0, "mutex.lock");
  CHECK_FALSE(plugins.make(state, 0, "mutex.lock", 8, {kNormal})->enabled(state));
  CHECK(take(plugins, state, 0, "mutex.lock", kErrorCheck) == EDEADLK);
}

TEST_CASE("a recursive mutex is free after as many unlocks as locks", "[mutex]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  take(plugins, state, 0, "mutex.lock", kRecursive);
  take(plugins, state, 0, "mutex.lock", kRecursive);
  take(plugins, state, 0, "mutex.unlock", kRecursive);
  CHECK_FALSE(plugins.make(state, 1, "mutex.lock", 8, {kRecursive})->enabled(state));
  take(plugins, state, 0, "mutex.unlock", kRecursive);
  CHECK(plugins.make(state, 1, "mutex.lock", 8, {kRecursive})->enabled(state));
}
