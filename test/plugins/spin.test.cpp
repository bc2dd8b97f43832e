#include <catch2/catch.hpp>
#include <cerrno>

#include "core/search/execution.hpp"
#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kLock = 8;

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name) {
  auto t = plugins.make(state, thread, name, kLock);
  REQUIRE(t->enabled(state));
  REQUIRE_FALSE(isMisuse(*t, state));
  return t->apply(state);
}

bool misused(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread, const std::string& name) {
  auto t = plugins.make(state, thread, name, kLock);
  return t->enabled(state) && isMisuse(*t, state);
}

ModelState initialized(const BuiltIn& plugins) {
  ModelState state = plugins.state(2);
  take(plugins, state, 0, "spin.init");
  return state;
}

}  // namespace

TEST_CASE("a locked spinlock cannot be locked, by its owner neither", "[spin]") {
  BuiltIn plugins;
  ModelState state = initialized(plugins);
  take(plugins, state, 0, "spin.lock");
  for (std::uint32_t thread : {0U, 1U}) {
    auto lock = plugins.make(state, thread, "spin.lock", kLock);
    CHECK_FALSE(lock->enabled(state));
    CHECK(lock->blockedBy(state) == std::vector{kMainThread});
    CHECK(take(plugins, state, thread, "spin.trylock") == EBUSY);
  }
  take(plugins, state, 0, "spin.unlock");
  CHECK(take(plugins, state, 1, "spin.trylock") == 0);
}

TEST_CASE("only its owner may unlock a spinlock, and nobody destroys it meanwhile", "[spin]") {
  BuiltIn plugins;
  ModelState state = initialized(plugins);
  CHECK(misused(plugins, state, 0, "spin.unlock"));
  take(plugins, state, 0, "spin.lock");
  CHECK(misused(plugins, state, 1, "spin.unlock"));
  CHECK(misused(plugins, state, 1, "spin.destroy"));
  CHECK(misused(plugins, state, 1, "spin.init"));
}

TEST_CASE("a spinlock is used between its initialization and its destruction", "[spin]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  CHECK(misused(plugins, state, 0, "spin.lock"));
  take(plugins, state, 0, "spin.init");
  take(plugins, state, 0, "spin.destroy");
  CHECK(misused(plugins, state, 1, "spin.lock"));
  take(plugins, state, 0, "spin.init");
  take(plugins, state, 1, "spin.lock");
}

TEST_CASE("a spinlock that a library initialized before main can be used", "[spin]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  auto lock = plugins.make(state, 0, "spin.lock", kLock, {1});
  CHECK(lock->enabled(state));
  CHECK_FALSE(isMisuse(*lock, state));
}
