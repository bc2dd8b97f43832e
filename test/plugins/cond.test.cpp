#include <catch2/catch.hpp>
#include <cerrno>

#include "core/search/execution.hpp"
#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kCond = 8;
constexpr std::uint64_t kMutex = 16;
constexpr std::uint64_t kAnotherMutex = 24;
constexpr std::uint64_t kRecursive = 1;

/// An operation of a wait.
TransitionPtr waits(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread,
                    const std::string& name, std::uint64_t mutex = kMutex, bool cancelDisabled = false) {
  return plugins.make(state, thread, name, kCond, {mutex, cancelDisabled ? 1U : 0U});
}

TransitionPtr on(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread,
                 const std::string& name) {
  return plugins.make(state, thread, name, kCond);
}

Result take(const TransitionPtr& t, ModelState& state) {
  REQUIRE(t->enabled(state));
  REQUIRE_FALSE(isMisuse(*t, state));
  return t->apply(state);
}

/// As the wrapper does it: who is told to queue waits for its turn.
void lock(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, std::uint64_t mutex = kMutex,
          std::uint64_t type = 0) {
  if (take(plugins.make(state, thread, "mutex.lock", mutex, {type}), state) == kQueued)
    take(plugins.make(state, thread, "mutex.acquire", mutex, {type}), state);
}

void unlock(const BuiltIn& plugins, ModelState& state, std::uint32_t thread) {
  take(plugins.make(state, thread, "mutex.unlock", kMutex), state);
}

/// The first half of a wait.
void sleep(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, std::uint64_t mutex = kMutex) {
  lock(plugins, state, thread, mutex);
  take(waits(plugins, state, thread, "cond.enqueue", mutex), state);
}

void call(const BuiltIn& plugins, ModelState& state, const std::string& name) {
  take(on(plugins, state, 0, name), state);
}

/// The threads whose wait could end now.
std::vector<std::uint32_t> wakeable(const BuiltIn& plugins, const ModelState& state,
                                    const std::vector<std::uint32_t>& sleepers) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t thread : sleepers)
    if (waits(plugins, state, thread, "cond.wake")->enabled(state)) found.push_back(thread);
  return found;
}

using Threads = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a signal before the wait wakes nobody", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  for (const char* name : {"cond.signal", "cond.broadcast"}) {
    CHECK(on(plugins, state, 0, name)->wakesNobody(state));
    call(plugins, state, name);
  }
  sleep(plugins, state, 1);
  CHECK(wakeable(plugins, state, {1}) == Threads{});
  CHECK_FALSE(on(plugins, state, 0, "cond.signal")->wakesNobody(state));
}

TEST_CASE("a signal wakes one of two, whichever", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  sleep(plugins, state, 1);
  sleep(plugins, state, 2);
  CHECK(wakeable(plugins, state, {1, 2}) == Threads{});
  call(plugins, state, "cond.signal");
  CHECK(wakeable(plugins, state, {1, 2}) == Threads{1, 2});
  CHECK(take(waits(plugins, state, 2, "cond.wake"), state) == 0);
  unlock(plugins, state, 2);
  CHECK(wakeable(plugins, state, {1}) == Threads{});
}

TEST_CASE("as many signals as there are threads wake all of them, and one more nobody", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(4);
  sleep(plugins, state, 1);
  sleep(plugins, state, 2);
  call(plugins, state, "cond.signal");
  call(plugins, state, "cond.signal");
  CHECK(on(plugins, state, 0, "cond.signal")->wakesNobody(state));
  call(plugins, state, "cond.signal");
  for (std::uint32_t thread : {1U, 2U}) {
    take(waits(plugins, state, thread, "cond.wake"), state);
    unlock(plugins, state, thread);
  }
  sleep(plugins, state, 3);
  CHECK(wakeable(plugins, state, {3}) == Threads{});
}

TEST_CASE("a broadcast wakes all who wait, and nobody who comes later", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(4);
  sleep(plugins, state, 1);
  sleep(plugins, state, 2);
  call(plugins, state, "cond.broadcast");
  sleep(plugins, state, 3);
  CHECK(wakeable(plugins, state, {1, 2, 3}) == Threads{1, 2});
  take(waits(plugins, state, 1, "cond.wake"), state);
  unlock(plugins, state, 1);
  CHECK(wakeable(plugins, state, {2, 3}) == Threads{2});
}

TEST_CASE("who is woken under fifo is the first who came, under lifo the last", "[cond]") {
  for (const auto& [policy, expected] :
       {std::pair{"fifo", Threads{2, 3, 1}}, std::pair{"lifo", Threads{1, 3, 2}}}) {
    BuiltIn plugins(policy);
    ModelState state = plugins.state(4);
    for (std::uint32_t thread : {2U, 3U, 1U}) sleep(plugins, state, thread);
    for (std::uint32_t thread : expected) {
      call(plugins, state, "cond.signal");
      CHECK(wakeable(plugins, state, {1, 2, 3}) == Threads{thread});
      CHECK(take(waits(plugins, state, thread, "cond.wake"), state) == kQueued);
    }
  }
}

TEST_CASE("a wait gives the mutex back, and ends when the mutex is free again", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  sleep(plugins, state, 1);
  lock(plugins, state, 0);
  auto wake = waits(plugins, state, 1, "cond.wake");
  CHECK(wake->blockedBy(state).empty());
  call(plugins, state, "cond.signal");
  CHECK_FALSE(wake->enabled(state));
  CHECK(wake->blockedBy(state) == std::vector{kMainThread});
  unlock(plugins, state, 0);
  CHECK(take(wake, state) == 0);
  CHECK_FALSE(plugins.make(state, 0, "mutex.lock", kMutex)->enabled(state));
}

TEST_CASE("a mutex that was locked twice is still its thread's in a wait", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  lock(plugins, state, 1, kMutex, kRecursive);
  lock(plugins, state, 1, kMutex, kRecursive);
  take(waits(plugins, state, 1, "cond.enqueue"), state);
  CHECK_FALSE(plugins.make(state, 0, "mutex.lock", kMutex, {kRecursive})->enabled(state));
  call(plugins, state, "cond.signal");
  CHECK(take(waits(plugins, state, 1, "cond.wake"), state) == 0);
}

TEST_CASE("a timed wait gives up, also while another thread has the mutex, whose signal comes too late",
          "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  sleep(plugins, state, 1);
  lock(plugins, state, 0);
  CHECK(take(waits(plugins, state, 1, "cond.timedwake"), state) == (ETIMEDOUT | kQueued));
  CHECK(on(plugins, state, 0, "cond.signal")->wakesNobody(state));
  call(plugins, state, "cond.signal");
  unlock(plugins, state, 0);
  take(plugins.make(state, 1, "mutex.acquire", kMutex), state);
  unlock(plugins, state, 1);
  sleep(plugins, state, 2);
  CHECK(wakeable(plugins, state, {2}) == Threads{});
}

TEST_CASE("a timed wait that was signalled to has not timed out", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  sleep(plugins, state, 1);
  call(plugins, state, "cond.signal");
  CHECK(take(waits(plugins, state, 1, "cond.timedwake"), state) == kQueued);
}

TEST_CASE("so many threads as are allowed leave a condition variable for no reason", "[cond]") {
  for (std::uint32_t allowed : {1U, 2U}) {
    BuiltIn plugins("spurious", allowed);
    ModelState state = plugins.state(4);
    for (std::uint32_t thread : {1U, 2U, 3U}) sleep(plugins, state, thread);
    for (std::uint32_t thread = 1; thread <= allowed; ++thread) {
      auto wake = waits(plugins, state, thread, "cond.wake");
      CHECK(wake->byChance(take(wake, state)));
      unlock(plugins, state, thread);
    }
    CHECK(wakeable(plugins, state, {3}) == Threads{});
    call(plugins, state, "cond.signal");
    auto wake = waits(plugins, state, 3, "cond.wake");
    CHECK_FALSE(wake->byChance(take(wake, state)));
  }
}

TEST_CASE("who is cancelled in its wait takes the mutex and leaves its signal to others", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  sleep(plugins, state, 1);
  sleep(plugins, state, 2);
  take(plugins.make(state, 0, "thread.cancel", 1), state);
  CHECK(wakeable(plugins, state, {1, 2}) == Threads{1});
  CHECK_FALSE(waits(plugins, state, 1, "cond.wake", kMutex, true)->enabled(state));
  call(plugins, state, "cond.signal");
  CHECK(take(waits(plugins, state, 1, "cond.wake"), state) == ECANCELED);
  CHECK_FALSE(plugins.make(state, 0, "mutex.lock", kMutex)->enabled(state));
  unlock(plugins, state, 1);
  CHECK(wakeable(plugins, state, {2}) == Threads{2});
}

TEST_CASE("to wait without holding the mutex is a misuse", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto wait = [&] { return waits(plugins, state, 1, "cond.enqueue"); };
  CHECK(isMisuse(*wait(), state));
  lock(plugins, state, 0);
  CHECK(isMisuse(*wait(), state));
  unlock(plugins, state, 0);
  lock(plugins, state, 1);
  CHECK_FALSE(isMisuse(*wait(), state));
}

TEST_CASE("to wait with another mutex is a misuse while others wait", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  sleep(plugins, state, 1);
  lock(plugins, state, 2, kAnotherMutex);
  auto wait = [&] { return waits(plugins, state, 2, "cond.enqueue", kAnotherMutex); };
  CHECK(isMisuse(*wait(), state));
  call(plugins, state, "cond.signal");
  take(waits(plugins, state, 1, "cond.wake"), state);
  CHECK_FALSE(isMisuse(*wait(), state));
}

TEST_CASE("what somebody waits for is neither destroyed nor initialized, what all have been woken from is",
          "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  sleep(plugins, state, 1);
  sleep(plugins, state, 2);
  auto expectMisuse = [&](bool expected) {
    for (const char* name : {"cond.init", "cond.destroy"})
      CHECK(isMisuse(*on(plugins, state, 0, name), state) == expected);
  };
  expectMisuse(true);
  call(plugins, state, "cond.signal");
  expectMisuse(true);
  call(plugins, state, "cond.broadcast");
  expectMisuse(false);
  call(plugins, state, "cond.destroy");
  CHECK(wakeable(plugins, state, {1, 2}) == Threads{1, 2});
  CHECK(take(waits(plugins, state, 1, "cond.wake"), state) == 0);
}

TEST_CASE("what has been destroyed is not used before it is initialized again", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  lock(plugins, state, 1);
  auto expectMisuse = [&](bool expected) {
    CHECK(isMisuse(*waits(plugins, state, 1, "cond.enqueue"), state) == expected);
    for (const char* name : {"cond.signal", "cond.broadcast", "cond.destroy"})
      CHECK(isMisuse(*on(plugins, state, 0, name), state) == expected);
  };
  expectMisuse(false);
  call(plugins, state, "cond.destroy");
  expectMisuse(true);
  call(plugins, state, "cond.init");
  expectMisuse(false);
}

TEST_CASE("memory that cannot be a condition variable is not used, unless threads wait there", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto signal = [&] { return plugins.make(state, 0, "cond.signal", kCond, {0, 0, 1}); };
  CHECK(isMisuse(*signal(), state));
  call(plugins, state, "cond.init");
  CHECK(isMisuse(*signal(), state));
  sleep(plugins, state, 1);
  CHECK_FALSE(isMisuse(*signal(), state));
}

TEST_CASE("to wake up to a mutex that has been destroyed is a misuse", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  sleep(plugins, state, 1);
  call(plugins, state, "cond.signal");
  take(plugins.make(state, 0, "mutex.destroy", kMutex), state);
  CHECK(isMisuse(*waits(plugins, state, 1, "cond.wake"), state));
}

TEST_CASE("signals do not depend on one another, nor do broadcasts", "[cond]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  lock(plugins, state, 2);
  auto wait = waits(plugins, state, 2, "cond.enqueue");
  for (const char* name : {"cond.signal", "cond.broadcast"}) {
    CHECK_FALSE(dependent(*on(plugins, state, 0, name), *on(plugins, state, 1, name)));
    CHECK(dependent(*on(plugins, state, 0, name), *wait));
  }
  CHECK(dependent(*on(plugins, state, 0, "cond.signal"), *on(plugins, state, 1, "cond.broadcast")));
}
