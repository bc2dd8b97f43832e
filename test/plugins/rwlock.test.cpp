#include <catch2/catch.hpp>
#include <cerrno>

#include "core/search/execution.hpp"
#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kLock = 8;
constexpr std::uint64_t kReadersFirst = 0;
constexpr std::uint64_t kWritersFirst = 2;

TransitionPtr on(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread,
                 const std::string& name, std::uint64_t kind = kReadersFirst, std::uint64_t invalid = 0) {
  return plugins.make(state, thread, name, kLock, {kind, invalid});
}

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name,
            std::uint64_t kind = kReadersFirst, std::uint64_t invalid = 0) {
  auto t = on(plugins, state, thread, name, kind, invalid);
  REQUIRE(t->enabled(state));
  REQUIRE_FALSE(isMisuse(*t, state));
  return t->apply(state);
}

bool misused(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread, const std::string& name) {
  auto t = on(plugins, state, thread, name);
  return t->enabled(state) && isMisuse(*t, state);
}

}  // namespace

TEST_CASE("readers share a lock, and keep writers out", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  take(plugins, state, 0, "rwlock.rdlock");
  take(plugins, state, 1, "rwlock.rdlock");
  take(plugins, state, 1, "rwlock.rdlock");
  auto write = on(plugins, state, 2, "rwlock.wrlock");
  CHECK_FALSE(write->enabled(state));
  CHECK(write->blockedBy(state) == std::vector{kMainThread, ThreadId{1}});
  CHECK(take(plugins, state, 2, "rwlock.trywrlock") == EBUSY);
  CHECK(take(plugins, state, 2, "rwlock.timedwrlock") == ETIMEDOUT);
  CHECK(take(plugins, state, 2, "rwlock.timedwrlock", kReadersFirst, 1) == EINVAL);
  for (std::uint32_t thread : {0U, 1U, 1U}) take(plugins, state, thread, "rwlock.unlock");
  CHECK(take(plugins, state, 2, "rwlock.timedwrlock", kReadersFirst, 1) == 0);
}

TEST_CASE("a writer keeps everybody out", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  take(plugins, state, 0, "rwlock.wrlock");
  auto read = on(plugins, state, 1, "rwlock.rdlock");
  CHECK_FALSE(read->enabled(state));
  CHECK(read->blockedBy(state) == std::vector{kMainThread});
  CHECK_FALSE(on(plugins, state, 1, "rwlock.wrlock")->enabled(state));
  CHECK(take(plugins, state, 1, "rwlock.tryrdlock") == EBUSY);
  CHECK(take(plugins, state, 1, "rwlock.timedrdlock") == ETIMEDOUT);
  take(plugins, state, 0, "rwlock.unlock");
  CHECK(read->enabled(state));
}

TEST_CASE("where writers go first, a reader waits for a writer that waits", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  take(plugins, state, 0, "rwlock.rdlock", kWritersFirst);
  take(plugins, state, 1, "rwlock.want_write", kWritersFirst);
  auto read = on(plugins, state, 2, "rwlock.rdlock", kWritersFirst);
  CHECK_FALSE(read->enabled(state));
  CHECK(read->blockedBy(state) == std::vector{ThreadId{1}});
  CHECK(take(plugins, state, 2, "rwlock.tryrdlock", kWritersFirst) == EBUSY);
  CHECK(take(plugins, state, 1, "rwlock.timedwrlock", kWritersFirst) == ETIMEDOUT);
  CHECK(read->enabled(state));
}

TEST_CASE("a thread that reads and wants to write waits for itself", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  take(plugins, state, 0, "rwlock.rdlock");
  auto write = on(plugins, state, 0, "rwlock.wrlock");
  CHECK_FALSE(write->enabled(state));
  CHECK(write->blockedBy(state) == std::vector{kMainThread});
}

TEST_CASE("to lock what one has locked for writing is a misuse", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  take(plugins, state, 0, "rwlock.wrlock");
  for (const char* name : {"rwlock.rdlock", "rwlock.wrlock", "rwlock.timedrdlock", "rwlock.timedwrlock"})
    CHECK(misused(plugins, state, 0, name));
  CHECK(take(plugins, state, 0, "rwlock.trywrlock") == EBUSY);
  CHECK(take(plugins, state, 0, "rwlock.tryrdlock") == EBUSY);
}

TEST_CASE("only who has locked a lock may unlock it, and nobody destroys it meanwhile", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  CHECK(misused(plugins, state, 0, "rwlock.unlock"));
  take(plugins, state, 0, "rwlock.rdlock");
  for (const char* name : {"rwlock.unlock", "rwlock.destroy", "rwlock.init"})
    CHECK(misused(plugins, state, 1, name));
  take(plugins, state, 0, "rwlock.unlock");
  take(plugins, state, 0, "rwlock.destroy");
  for (const char* name : {"rwlock.rdlock", "rwlock.wrlock", "rwlock.unlock", "rwlock.destroy"})
    CHECK(misused(plugins, state, 1, name));
  take(plugins, state, 0, "rwlock.init");
  take(plugins, state, 1, "rwlock.rdlock");
}

TEST_CASE("memory that was never initialized is no lock", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  CHECK(isMisuse(*plugins.make(state, 0, "rwlock.rdlock", kLock, {0, 0, 1}), state));
}

TEST_CASE("readers have no order among themselves", "[rwlock]") {
  BuiltIn plugins;
  ModelState state = plugins.state(3);
  take(plugins, state, 0, "rwlock.rdlock");
  auto unlock = on(plugins, state, 0, "rwlock.unlock");
  auto read = on(plugins, state, 1, "rwlock.rdlock");
  CHECK_FALSE(dependent(*read, *on(plugins, state, 2, "rwlock.tryrdlock")));
  CHECK_FALSE(dependent(*read, *unlock));
  CHECK(dependent(*read, *on(plugins, state, 2, "rwlock.wrlock")));
  CHECK(dependent(*unlock, *on(plugins, state, 2, "rwlock.wrlock")));
}

namespace {

constexpr std::uint64_t kNobodyFirst = 1;

/// Main writes; then come a reader (1), a writer (2), a reader (3) and a writer (4), and main lets go.
ModelState crowd(const BuiltIn& plugins, std::uint64_t kind) {
  ModelState state = plugins.state(5);
  REQUIRE(take(plugins, state, 0, "rwlock.wrlock", kind) == kQueued);
  take(plugins, state, 0, "rwlock.acquire_write", kind);
  for (std::uint32_t thread = 1; thread <= 4; ++thread)
    REQUIRE(take(plugins, state, thread, thread % 2 == 1 ? "rwlock.rdlock" : "rwlock.wrlock", kind) ==
            kQueued);
  take(plugins, state, 0, "rwlock.unlock", kind);
  return state;
}

/// All orders in which the four get in; those who read together are in one pair of brackets.
std::string order(const BuiltIn& plugins, std::uint64_t kind) {
  ModelState state = crowd(plugins, kind);
  std::string text;
  for (std::string in; text.size() < 20; text += in) {
    in.clear();
    std::vector<std::uint32_t> inside;
    for (std::uint32_t thread = 1; thread <= 4; ++thread) {
      auto turn =
          on(plugins, state, thread, thread % 2 == 1 ? "rwlock.acquire_read" : "rwlock.acquire_write", kind);
      if (!turn->enabled(state)) continue;
      turn->apply(state);
      inside.push_back(thread);
      in += std::to_string(thread);
    }
    if (inside.empty()) break;
    in = "(" + in + ")";
    for (std::uint32_t thread : inside) take(plugins, state, thread, "rwlock.unlock", kind);
  }
  return text;
}

}  // namespace

TEST_CASE("where threads queue up, readers pass the writers of a lock that prefers readers", "[rwlock]") {
  CHECK(order(BuiltIn("fifo"), kReadersFirst) == "(13)(2)(4)");
  CHECK(order(BuiltIn("lifo"), kReadersFirst) == "(13)(4)(2)");
}

TEST_CASE("where threads queue up, writers pass the readers of a lock that prefers writers", "[rwlock]") {
  CHECK(order(BuiltIn("fifo"), kWritersFirst) == "(2)(4)(13)");
  CHECK(order(BuiltIn("lifo"), kWritersFirst) == "(4)(2)(13)");
}

TEST_CASE("where threads queue up for a lock that prefers nobody, the policy alone says who is next",
          "[rwlock]") {
  CHECK(order(BuiltIn("fifo"), kNobodyFirst) == "(1)(2)(3)(4)");
  CHECK(order(BuiltIn("lifo"), kNobodyFirst) == "(4)(3)(2)(1)");
}

TEST_CASE("who does not queue up for a lock does not pass those whose turn it is", "[rwlock]") {
  BuiltIn fifo("fifo");
  ModelState readers = crowd(fifo, kReadersFirst);
  CHECK(take(fifo, readers, 0, "rwlock.tryrdlock", kReadersFirst) == 0);
  CHECK(take(fifo, readers, 0, "rwlock.trywrlock", kReadersFirst) == EBUSY);
  ModelState writers = crowd(fifo, kWritersFirst);
  CHECK(take(fifo, writers, 0, "rwlock.tryrdlock", kWritersFirst) == EBUSY);
  ModelState nobody = crowd(fifo, kNobodyFirst);
  CHECK(take(fifo, nobody, 0, "rwlock.tryrdlock", kNobodyFirst) == EBUSY);
}
