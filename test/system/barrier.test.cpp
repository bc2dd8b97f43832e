#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many behaviours each program has is derived in the comment at its head.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("threads that only meet have one behaviour, however often they do", "[barrier]") {
  for (const char* n : {"1", "2", "3", "5"}) expect({"barrier_ways", "meet", n, "1"}, {});
  expect({"barrier_ways", "meet", "3", "4"}, {});
}

TEST_CASE("what was written before a barrier is there behind it", "[barrier]") {
  expect({"barrier_ways", "phases", "4"}, {});
}

TEST_CASE("threads at a barrier that counts wrongly wait for ever", "[barrier]") {
  expect({"barrier_ways", "pairs"}, deadlockIn(24));
  CHECK_THAT(expect({"barrier_ways", "missing"}, deadlockIn(1)).out,
             Contains("meet#1  waits in pthread_barrier_wait(barrier)"));
}

TEST_CASE("a barrier can be destroyed as soon as one thread has left it", "[barrier]") {
  expect({"barrier_ways", "last"}, {});
}

TEST_CASE("the other searches find the same with barriers", "[barrier]") {
  expectOfOthers({"barrier_ways", "meet", "2", "1"}, {});
  expectOf("dpor", {"barrier_ways", "pairs"}, deadlockIn(24));
  expectOfOthers({"barrier_ways", "missing"}, deadlockIn(1));
}

TEST_CASE("the naive search finds the same with pairs at a barrier", "[.][campaign]") {
  expectOf("naive", {"barrier_ways", "pairs"}, deadlockIn(24));
}

TEST_CASE("what must not be done to a barrier is told", "[barrier]") {
  expectMisuse("barrier_misuse", "uninitialized",
               "main calls pthread_barrier_wait on barrier, which was never initialized");
  expectMisuse("barrier_misuse", "destroyed",
               "main calls pthread_barrier_wait on barrier, which has been destroyed");
}

// It is destroyed before the thread comes, or while it waits.
TEST_CASE("a barrier that is destroyed too early is told of in both orders", "[barrier]") {
  Outcome outcome = expect({"barrier_misuse", "while_waiting"}, {"misuse", 2, 2});
  CHECK_THAT(outcome.out,
             Contains("main destroys barrier while wait#1 waits there") &&
                 Contains("wait#1 calls pthread_barrier_wait on barrier, which has been destroyed"));
}

}  // namespace
}  // namespace mcmini
