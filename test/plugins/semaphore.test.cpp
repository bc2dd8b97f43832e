#include <catch2/catch.hpp>
#include <cerrno>
#include <climits>

#include "core/search/execution.hpp"
#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kSemaphore = 8;
constexpr std::uint64_t kName = 4096;

TransitionPtr on(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread,
                 const std::string& name, std::uint64_t argument = 0) {
  return plugins.make(state, thread, name, kSemaphore, {0, argument});
}

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name,
            std::uint64_t argument = 0) {
  auto t = on(plugins, state, thread, name, argument);
  REQUIRE(t->enabled(state));
  REQUIRE_FALSE(isMisuse(*t, state));
  return t->apply(state);
}

ModelState withValue(const BuiltIn& plugins, std::uint64_t value) {
  ModelState state = plugins.state(3);
  take(plugins, state, 0, "semaphore.init", value);
  return state;
}

constexpr std::uint64_t made(std::uint64_t value) {
  return value | std::uint64_t{1} << 32;
}
constexpr std::uint64_t kExclusive = std::uint64_t{1} << 33;

Result open(const BuiltIn& plugins, ModelState& state, std::uint64_t how) {
  return plugins.make(state, 0, "semaphore.open", kName, {how, 'n'})->apply(state);
}

}  // namespace

TEST_CASE("a wait is enabled while the value is above zero", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = withValue(plugins, 2);
  take(plugins, state, 0, "semaphore.wait");
  take(plugins, state, 1, "semaphore.wait");
  CHECK_FALSE(on(plugins, state, 2, "semaphore.wait")->enabled(state));
  CHECK(take(plugins, state, 2, "semaphore.trywait") == EAGAIN);
  CHECK(take(plugins, state, 2, "semaphore.timedwait") == ETIMEDOUT);
  CHECK(take(plugins, state, 2, "semaphore.timedwait", 1) == EINVAL);
  take(plugins, state, 0, "semaphore.post");
  CHECK(take(plugins, state, 2, "semaphore.getvalue") == 1);
  CHECK(take(plugins, state, 2, "semaphore.timedwait", 1) == 0);
}

TEST_CASE("posts do not depend on one another", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = withValue(plugins, 0);
  CHECK_FALSE(dependent(*on(plugins, state, 0, "semaphore.post"), *on(plugins, state, 1, "semaphore.post")));
  CHECK(dependent(*on(plugins, state, 0, "semaphore.post"), *on(plugins, state, 1, "semaphore.wait")));
}

TEST_CASE("a wait that takes a token which is there anyway does not depend on posts", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = withValue(plugins, 1);
  auto isOrdered = [&] {
    return dependent(*on(plugins, state, 0, "semaphore.post"), *on(plugins, state, 1, "semaphore.wait"));
  };
  auto early = on(plugins, state, 2, "semaphore.wait");
  CHECK_FALSE(isOrdered());
  take(plugins, state, 0, "semaphore.post");
  CHECK_FALSE(isOrdered());
  take(plugins, state, 1, "semaphore.wait");
  CHECK(isOrdered());
  CHECK(dependent(*on(plugins, state, 0, "semaphore.post"), *asIn(state, early)));
  take(plugins, state, 0, "semaphore.post");
  take(plugins, state, 1, "semaphore.wait");  // one of the posts came before it
  CHECK_FALSE(isOrdered());
  take(plugins, state, 1, "semaphore.wait");
  CHECK(isOrdered());
}

TEST_CASE("waits depend on one another, and on posts if the policy has an order", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = withValue(plugins, 2);
  CHECK(dependent(*on(plugins, state, 0, "semaphore.wait"), *on(plugins, state, 1, "semaphore.wait")));
  BuiltIn lifo("lifo");
  ModelState ordered = withValue(lifo, 1);
  CHECK(dependent(*on(lifo, ordered, 0, "semaphore.post"), *on(lifo, ordered, 1, "semaphore.wait")));
}

TEST_CASE("a post that is too much is a misuse, and the posts before it have an order", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = withValue(plugins, SEM_VALUE_MAX - 1);
  auto post = on(plugins, state, 0, "semaphore.post");
  CHECK(dependent(*post, *on(plugins, state, 1, "semaphore.post")));
  CHECK_FALSE(isMisuse(*post, state));
  post->apply(state);
  CHECK(isMisuse(*post, state));
}

TEST_CASE("a semaphore is used between its initialization and its destruction", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto uses = {"semaphore.wait", "semaphore.trywait",  "semaphore.timedwait",
               "semaphore.post", "semaphore.getvalue", "semaphore.destroy"};
  auto expectMisuse = [&](bool expected) {
    for (const char* name : uses) {
      auto t = on(plugins, state, 1, name);
      CHECK((t->enabled(state) && isMisuse(*t, state)) == expected);
    }
  };
  expectMisuse(true);
  take(plugins, state, 0, "semaphore.init", 0);
  expectMisuse(false);
  take(plugins, state, 0, "semaphore.destroy");
  expectMisuse(true);
}

TEST_CASE("a semaphore that a library initialized before main has the value it had then", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  auto wait = plugins.make(state, 0, "semaphore.wait", kSemaphore, {2});
  CHECK(wait->enabled(state));
  CHECK_FALSE(isMisuse(*wait, state));
  wait->apply(state);
  CHECK_FALSE(wait->enabled(state));
}

TEST_CASE("a name stands for the semaphore that was made with it, until it is unlinked", "[semaphore]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  CHECK(open(plugins, state, 0) == -ENOENT);
  CHECK(open(plugins, state, made(3)) == 0);
  CHECK(open(plugins, state, made(5)) == 0);
  CHECK(open(plugins, state, made(3) | kExclusive) == -EEXIST);
  auto first = plugins.make(state, 0, "semaphore.getvalue", kName + 256);
  CHECK(first->apply(state) == 3);
  CHECK(plugins.make(state, 0, "semaphore.unlink", kName)->apply(state) == 0);
  CHECK(plugins.make(state, 0, "semaphore.unlink", kName)->apply(state) == ENOENT);
  CHECK(open(plugins, state, made(7)) == 1);
  CHECK(first->apply(state) == 3);
  CHECK(plugins.make(state, 0, "semaphore.getvalue", kName + 256 + 32)->apply(state) == 7);
  CHECK(isMisuse(*plugins.make(state, 0, "semaphore.destroy", kName + 256), state));
}
