#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("n readers and a writer have two to the n behaviours, whoever goes first", "[rwlock]") {
  for (std::uint64_t n = 1; n <= 4; ++n) {
    for (const char* first : {"readers", "writers"})
      expect({"readers_writers_rwlock", std::to_string(n), "1", first}, {.traces = std::uint64_t{1} << n});
  }
}

TEST_CASE("writers exclude one another", "[rwlock]") {
  expect({"rwlock_ways", "writers"}, {.traces = 2});
}

TEST_CASE("who tries to read or to write may come before, too early, or after", "[rwlock]") {
  for (const char* how : {"try_write", "try_read", "timed_write", "timed_read", "invalid"})
    expect({"rwlock_ways", how}, {.traces = 3});
}

TEST_CASE("a reader may read again while a writer waits, unless writers go first", "[rwlock]") {
  expect({"rwlock_ways", "recursive"}, {.traces = 2});
  CHECK_THAT(expect({"rwlock_ways", "recursive_last"}, deadlockIn(3)).out,
             Contains("Cycle   read_twice#1 -> write_once#1 -> read_twice#1"));
}

TEST_CASE("a writer that gives up waiting lets readers in again", "[rwlock]") {
  expect({"rwlock_ways", "patience"}, {.traces = 7});
}

TEST_CASE("a reader that wants to write waits for itself", "[rwlock]") {
  expect({"rwlock_ways", "upgrade_both"}, deadlockIn(1));
  CHECK_THAT(expect({"rwlock_ways", "upgrade"}, deadlockIn(1)).out,
             Contains("Cycle   upgrade#1 -> upgrade#1"));
}

TEST_CASE("a lock may be made anew where another one was destroyed", "[rwlock]") {
  expect({"rwlock_ways", "again"}, {});
}

TEST_CASE("std::shared_mutex and std::shared_timed_mutex are such locks", "[rwlock]") {
  expect({"rwlock_shared_mutex", "shared"}, {.traces = 2});
  expect({"rwlock_shared_mutex", "timed"}, {.traces = 3});
  expect({"rwlock_shared_mutex", "heap"}, {});
}

TEST_CASE("the other searches find the same with readers and writers", "[rwlock]") {
  expectOfOthers({"readers_writers_rwlock", "1"}, {.traces = 2});
  expectOfOthers({"rwlock_ways", "try_write"}, {.traces = 3});
  expectOfOthers({"rwlock_ways", "recursive_last"}, deadlockIn(3));
  expectOfOthers({"rwlock_ways", "patience"}, {.traces = 7});
  expectOfOthers({"rwlock_ways", "upgrade_both"}, deadlockIn(1));
}

TEST_CASE("what must not be done to a lock for readers and writers is told", "[rwlock]") {
  expectMisuse("rwlock_misuse", "unlocked", "main unlocks lock, which is not locked");
  expectMisuse("rwlock_misuse", "of_another", "unlock#1 unlocks lock, which main holds");
  expectMisuse("rwlock_misuse", "write_twice",
               "main locks lock for writing, which it has locked for writing already");
  expectMisuse("rwlock_misuse", "read_own",
               "main locks lock for reading, which it has locked for writing already");
  expectMisuse("rwlock_misuse", "while_held", "main destroys lock while it holds it");
  expectMisuse("rwlock_misuse", "destroyed",
               "main calls pthread_rwlock_rdlock on lock, which has been destroyed");
  expectMisuse("rwlock_misuse", "garbage",
               "main calls pthread_rwlock_rdlock on lock, which was never initialized");
  expectMisuse("rwlock_misuse", "forgotten", "read#1 ends while it holds lock");
}

}  // namespace
}  // namespace mcmini
