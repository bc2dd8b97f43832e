#include <catch2/catch.hpp>
#include <cerrno>

#include "core/search/execution.hpp"
#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

using Args = std::array<std::uint64_t, 3>;
constexpr Args kDetached{0, 1};

/// Main has created one thread, which is number 1.
ModelState withThread(const BuiltIn& plugins, const Args& args = {}) {
  ModelState state = plugins.state(1);
  auto create = plugins.make(state, 0, "thread.create", 0, args);
  REQUIRE(create->apply(state) == 1);
  return state;
}

bool enabled(const BuiltIn& plugins, const ModelState& state, const std::string& name) {
  return plugins.make(state, 0, name, 1)->enabled(state);
}

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name,
            std::uint64_t object = 1) {
  auto t = plugins.make(state, thread, name, object);
  REQUIRE(t->enabled(state));
  REQUIRE_FALSE(isMisuse(*t, state));
  return t->apply(state);
}

bool misused(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread, const std::string& name,
             std::uint64_t object = 1) {
  return isMisuse(*plugins.make(state, thread, name, object), state);
}

}  // namespace

TEST_CASE("a thread is joined when it has ended, and waited for until then", "[thread]") {
  BuiltIn plugins;
  ModelState state = withThread(plugins);
  auto join = plugins.make(state, 0, "thread.join", 1);
  CHECK_FALSE(join->enabled(state));
  CHECK(join->blockedBy(state) == std::vector{ThreadId{1}});
  CHECK(take(plugins, state, 0, "thread.tryjoin") == EBUSY);
  CHECK(take(plugins, state, 0, "thread.timedjoin") == ETIMEDOUT);
  take(plugins, state, 1, "thread.exit");
  CHECK(take(plugins, state, 0, "thread.join") == 0);
}

TEST_CASE("a thread that could not be created never starts, and has never been when that is told",
          "[thread]") {
  BuiltIn plugins;
  ModelState state = withThread(plugins);
  constexpr Args kFailed{1};
  CHECK(plugins.make(state, 1, "thread.start", 1)->enabled(state));
  CHECK_FALSE(plugins.make(state, 1, "thread.start", 1, kFailed)->enabled(state));
  CHECK(state.alive(ThreadId{1}));
  take(plugins, state, 0, "thread.unstarted");
  CHECK_FALSE(state.alive(ThreadId{1}));
  CHECK(misused(plugins, state, 0, "thread.join"));
  CHECK(state.nextChildOf(ThreadId{0}) == ThreadId{2});
}

TEST_CASE("a thread is joined or detached once", "[thread]") {
  BuiltIn plugins;
  ModelState joined = withThread(plugins);
  take(plugins, joined, 1, "thread.exit");
  take(plugins, joined, 0, "thread.join");
  ModelState detached = withThread(plugins);
  take(plugins, detached, 0, "thread.detach");
  for (const ModelState& state : {joined, detached, withThread(plugins, kDetached)})
    for (const char* name : {"thread.join", "thread.tryjoin", "thread.timedjoin", "thread.detach"})
      CHECK(misused(plugins, state, 0, name));
  CHECK(misused(plugins, joined, 0, "thread.cancel"));
}

TEST_CASE("no thread joins itself, or one that there is not", "[thread]") {
  BuiltIn plugins;
  ModelState state = withThread(plugins);
  CHECK(misused(plugins, state, 1, "thread.join"));
  for (const char* name : {"thread.join", "thread.detach", "thread.cancel"})
    CHECK(misused(plugins, state, 0, name, 7));
}

TEST_CASE("a thread that holds a mutex must not end", "[thread]") {
  BuiltIn plugins;
  ModelState state = withThread(plugins);
  take(plugins, state, 1, "mutex.lock", 64);
  CHECK(misused(plugins, state, 1, "thread.exit"));
  take(plugins, state, 1, "mutex.unlock", 64);
  CHECK_FALSE(misused(plugins, state, 1, "thread.exit"));
}

TEST_CASE("a cancellation frees who waits in a join, and comes too late for who has ended", "[thread]") {
  BuiltIn plugins;
  ModelState state = withThread(plugins);
  CHECK_FALSE(enabled(plugins, state, "thread.join"));
  CHECK(take(plugins, state, 1, "thread.testcancel") == 0);
  take(plugins, state, 1, "thread.cancel", 0);
  CHECK(take(plugins, state, 0, "thread.testcancel") == ECANCELED);
  CHECK(take(plugins, state, 0, "thread.join") == ECANCELED);
  take(plugins, state, 1, "thread.exit");
  CHECK(take(plugins, state, 0, "thread.cancel") == 0);
}

TEST_CASE("the end of a thread and the locks of all its robust mutexes have an order", "[thread]") {
  BuiltIn plugins;
  ModelState state = withThread(plugins);
  constexpr Args kRobust{0, 1};
  constexpr std::uint64_t kMutexes = 9;
  for (std::uint64_t i = 1; i <= kMutexes; ++i)
    plugins.make(state, 1, "mutex.lock", 64 * i, kRobust)->apply(state);
  auto exit = plugins.make(state, 1, "thread.exit", 1);
  for (std::uint64_t i = 1; i <= kMutexes; ++i)
    CHECK(dependent(*exit, *plugins.make(state, 0, "mutex.lock", 64 * i, kRobust)));
}
