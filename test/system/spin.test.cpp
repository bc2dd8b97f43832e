#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("n threads at a spinlock have n! behaviours", "[spin]") {
  for (std::uint64_t n = 2, traces = 2; n <= 4; traces *= ++n)
    expect({"spin_ways", "lock", std::to_string(n)}, {.traces = traces});
}

TEST_CASE("who tries a spinlock may be too early", "[spin]") {
  expect({"spin_ways", "try"}, {.traces = 4});
  expectOfOthers({"spin_ways", "try"}, {.traces = 4});
}

TEST_CASE("a thread that locks a spinlock twice waits for itself", "[spin]") {
  expectOfOthers({"spin_ways", "twice"}, deadlockIn(1));
  CHECK_THAT(expect({"spin_ways", "twice"}, deadlockIn(1)).out,
             Contains("Cycle   take_twice#1 -> take_twice#1"));
}

TEST_CASE("what must not be done to a spinlock is told", "[spin]") {
  expectMisuse("spin_misuse", "uninitialized",
               "main calls pthread_spin_lock on lock, which was never initialized");
  expectMisuse("spin_misuse", "of_another", "unlock#1 unlocks lock, which main holds");
  expectMisuse("spin_misuse", "unlocked", "main unlocks lock, which is not locked");
  expectMisuse("spin_misuse", "destroyed", "main calls pthread_spin_lock on lock, which has been destroyed");
  expectMisuse("spin_misuse", "while_held", "main destroys lock while it holds it");
}

}  // namespace
}  // namespace mcmini
