#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// How many behaviours each program has is derived in the comment at its head; the numbers agree with those of
// other optimal model checkers.

namespace mcmini {
namespace {

TEST_CASE("philosophers with one reversed have two to the n less two behaviours", "[counts]") {
  for (int n = 2; n <= 8; ++n) expect({"philosophers", std::to_string(n)}, {.traces = (1U << n) - 2});
}

TEST_CASE("philosophers who all start on the left have one more, which is the deadlock", "[counts]") {
  for (int n = 2; n <= 8; ++n)
    expect({"philosophers_all_left", std::to_string(n)}, deadlockIn((1U << n) - 1));
}

TEST_CASE("n threads with one critical section each have n! behaviours", "[counts]") {
  for (std::uint64_t n = 2, traces = 2; n <= 6; traces *= ++n)
    expect({"counter", std::to_string(n)}, {.traces = traces});
}

TEST_CASE("threads that share nothing have one behaviour", "[counts]") {
  for (const char* n : {"1", "2", "7", "30"}) expect({"independent", n}, {});
}

TEST_CASE("the last zero has the counts of other optimal checkers", "[counts]") {
  for (const auto& [n, traces] :
       {std::pair("3", 12U), std::pair("4", 28U), std::pair("5", 64U), std::pair("8", 704U)})
    expect({"last_zero", n}, {.traces = traces});
}

TEST_CASE("two locks in opposite order have three behaviours, one of them the deadlock", "[counts]") {
  expect({"ab_ba"}, deadlockIn(3));
  expect({"ab_ba_std"}, deadlockIn(3));
}

// The rent is paid before the look, between look and payment, or after it.
TEST_CASE("an assertion that one order of three fails is found", "[counts]") {
  expect({"lost_update"}, {"assertion", 1, 3});
}

TEST_CASE("a crash that one order of two shows is found", "[counts]") {
  expect({"use_after_teardown"}, {"crash", 1, 2});
}

TEST_CASE("a status other than zero that one order of two has is found", "[counts]") {
  expect({"missed_job"}, {"exit", 1, 2});
}

// Against a lock, the attempt comes before it, while it is held, or after. Of two attempts one comes before
// the other, which is refused or comes after the unlock: 2 * 2.
TEST_CASE("an attempt to lock sees the mutex free and taken", "[counts]") {
  expect({"mutex_kinds", "trylock_lock"}, {.traces = 3});
  expect({"mutex_kinds", "trylock_trylock"}, {.traces = 4});
}

TEST_CASE("recursive and error-checking mutexes have two orders for two threads", "[counts]") {
  expect({"mutex_kinds", "recursive"}, {.traces = 2});
  expect({"mutex_kinds", "errorcheck"}, {.traces = 2});
}

TEST_CASE("dpor comes to the same verdicts", "[counts]") {
  expectOf("dpor", {"philosophers", "5"}, {.traces = 30});
  expectOf("dpor", {"philosophers_all_left", "5"}, deadlockIn(31));
  expectOf("dpor", {"counter", "4"}, {.traces = 24});
  expectOf("dpor", {"ab_ba"}, deadlockIn(3));
  expectOf("dpor", {"ab_ba_std"}, deadlockIn(3));
  expectOf("dpor", {"lost_update"}, {"assertion", 1, 3});
  expectOf("dpor", {"use_after_teardown"}, {"crash", 1, 2});
  expectOf("dpor", {"missed_job"}, {"exit", 1, 2});
}

TEST_CASE("the naive search comes to the same verdicts", "[counts]") {
  expectOf("naive", {"counter", "2"}, {.traces = 2});
  expectOf("naive", {"ab_ba"}, deadlockIn(3));
  expectOf("naive", {"lost_update"}, {"assertion", 1, 3});
  expectOf("naive", {"use_after_teardown"}, {"crash", 1, 2});
  expectOf("naive", {"missed_job"}, {"exit", 1, 2});
}

// main: create 1, create 2, join 1, join 2, end; thread: start, lock, unlock, end. If k steps of thread 1
// come before "create 2", the others and "join 1" mix with the 4 of thread 2 in (9-k over 4) ways: 126 + 70 +
// 35 + 15 + 5.
TEST_CASE("the naive search runs every interleaving once", "[counts]") {
  Outcome outcome = check({"--search", "naive", program("independent"), "2"});
  compare(outcome, {.traces = 251});
}

}  // namespace
}  // namespace mcmini
