#include <catch2/catch.hpp>
#include <cerrno>

#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kWord = 8;
constexpr std::uint64_t kOther = 16;
constexpr std::uint64_t kAnyBit = 0xffffffff;
constexpr std::uint64_t kAll = 0x7fffffff;

/// Threads at futexes.
struct Scene {
  explicit Scene(std::uint32_t threads, const std::string& policy = "arbitrary")
      : plugins(policy), state(plugins.state(threads)) {}

  TransitionPtr make(std::uint32_t thread, const std::string& name, std::array<std::uint64_t, 3> args = {},
                     std::uint64_t object = kWord) const {
    return plugins.make(state, thread, name, object, args);
  }
  Result take(std::uint32_t thread, const std::string& name, std::array<std::uint64_t, 3> args = {},
              std::uint64_t object = kWord) {
    auto t = make(thread, name, args, object);
    REQUIRE(t->enabled(state));
    return t->apply(state);
  }
  void wait(std::uint32_t thread, std::uint64_t mask = kAnyBit, std::uint64_t object = kWord) {
    take(thread, "futex.compare", {}, object);
    take(thread, "futex.enqueue", {mask}, object);
  }
  Result wake(std::uint32_t thread, std::uint64_t most, std::uint64_t mask = kAnyBit,
              std::uint64_t object = kWord) {
    return take(thread, "futex.wake", {most, mask}, object);
  }
  Result requeue(std::uint32_t thread, std::uint64_t toWake, std::uint64_t toMove) {
    return take(thread, "futex.requeue", {kOther, toMove << 32 | toWake, 0});
  }
  bool mayLeave(std::uint32_t thread, std::uint64_t object = kWord) const {
    return make(thread, "futex.leave", {}, object)->enabled(state);
  }
  Result leave(std::uint32_t thread, std::uint64_t object = kWord) {
    return take(thread, "futex.leave", {}, object);
  }

  BuiltIn plugins;
  ModelState state;
};

}  // namespace

TEST_CASE("a wake wakes nobody who comes later", "[futex]") {
  Scene scene(2);
  CHECK(scene.wake(0, kAll) == 0);
  scene.wait(1);
  CHECK_FALSE(scene.mayLeave(1));
}

TEST_CASE("a wake of one lets any one of the waiters go", "[futex]") {
  Scene scene(3);
  scene.wait(1);
  scene.wait(2);
  CHECK(scene.wake(0, 1) == 1);
  CHECK(scene.mayLeave(1));
  CHECK(scene.mayLeave(2));
  CHECK(scene.leave(2) == 0);
  CHECK_FALSE(scene.mayLeave(1));
}

TEST_CASE("under fifo a wake of one lets the first waiter go", "[futex]") {
  Scene scene(3, "fifo");
  scene.wait(2);
  scene.wait(1);
  CHECK(scene.wake(0, 1) == 1);
  CHECK(scene.mayLeave(2));
  CHECK_FALSE(scene.mayLeave(1));
}

TEST_CASE("a wake says how many it woke", "[futex]") {
  for (const char* policy : {"arbitrary", "fifo", "lifo"}) {
    Scene scene(4, policy);
    for (std::uint32_t thread : {1U, 2U, 3U}) scene.wait(thread);
    CHECK(scene.wake(0, 2) == 2);
    CHECK(scene.wake(0, kAll) == 1);
    CHECK(scene.wake(0, kAll) == 0);
    for (std::uint32_t thread : {1U, 2U, 3U}) CHECK(scene.leave(thread) == 0);
    CHECK(scene.wake(0, kAll) == 0);
  }
}

TEST_CASE("nobody is woken while a waiter compares", "[futex]") {
  Scene scene(3);
  scene.take(1, "futex.compare");
  CHECK_FALSE(scene.make(0, "futex.wake", {1, kAnyBit})->enabled(scene.state));
  CHECK_FALSE(scene.make(0, "futex.look")->enabled(scene.state));
  CHECK(scene.make(2, "futex.compare")->enabled(scene.state));
  scene.take(1, "futex.differs");
  CHECK(scene.wake(0, 1) == 0);
}

TEST_CASE("nobody compares while a requeue does", "[futex]") {
  Scene scene(2);
  scene.take(0, "futex.look");
  CHECK_FALSE(scene.make(1, "futex.compare")->enabled(scene.state));
  CHECK(scene.take(0, "futex.requeue", {kOther, 1, 1}) == 0);
  CHECK(scene.make(1, "futex.compare")->enabled(scene.state));
}

TEST_CASE("a wait with a time limit may end at any time", "[futex]") {
  Scene scene(2);
  scene.wait(1);
  CHECK(scene.take(1, "futex.leave", {1}) == ETIMEDOUT);
  CHECK(scene.wake(0, kAll) == 0);
  scene.wait(1);
  CHECK(scene.wake(0, kAll) == 1);
  CHECK(scene.take(1, "futex.leave", {1}) == 0);
}

TEST_CASE("a wake for other bits is not heard", "[futex]") {
  for (const char* policy : {"arbitrary", "fifo", "lifo"}) {
    Scene scene(3, policy);
    scene.wait(1, 1);
    scene.wait(2, 6);
    CHECK(scene.wake(0, kAll, 8) == 0);
    CHECK(scene.wake(0, kAll, 2) == 1);
    CHECK_FALSE(scene.mayLeave(1));
    CHECK(scene.leave(2) == 0);
    CHECK(scene.wake(0, 1) == 1);
    CHECK(scene.leave(1) == 0);
  }
}

TEST_CASE("a requeue wakes some, and others wait elsewhere", "[futex]") {
  for (const char* policy : {"arbitrary", "fifo"}) {
    Scene scene(4, policy);
    for (std::uint32_t thread : {1U, 2U, 3U}) scene.wait(thread);
    CHECK(scene.requeue(0, 1, 1) == 2);
    CHECK(scene.leave(1) == 0);
    CHECK(scene.wake(0, kAll, kAnyBit, kOther) == 1);
    CHECK(scene.leave(2) == kOther);
    CHECK(scene.leave(2, kOther) == 0);
    CHECK_FALSE(scene.mayLeave(3));
    CHECK(scene.wake(0, kAll) == 1);
    CHECK(scene.leave(3) == 0);
  }
}

TEST_CASE("a requeue does not move who has been woken", "[futex]") {
  Scene scene(3);
  scene.wait(1);
  scene.wait(2);
  CHECK(scene.wake(0, 1) == 1);
  CHECK(scene.requeue(0, 0, kAll) == 1);
  CHECK(scene.leave(1) == 0);
  CHECK(scene.leave(2) == kOther);
  CHECK_FALSE(scene.mayLeave(2, kOther));
}
