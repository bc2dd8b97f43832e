#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

void expect(const std::string& what, std::uint64_t traces) {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({program("mutex_ways", variant), what});
    INFO(variant << " " << what << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["traces"] == std::to_string(traces));
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
}

void expectMisuse(const std::string& what, const std::string& sentence) {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({program("mutex_misuse", variant), what});
    INFO(variant << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == "misuse");
    CHECK(outcome["bugs"] == "1");
    CHECK(outcome["traces"] == "1");
    CHECK(outcome["complete"] == "yes");
    CHECK_THAT(outcome.out, Contains("MISUSE    " + sentence));
  }
}

// The wait comes before the other's section, during it, or after it.
TEST_CASE("who waits for a mutex until a certain time may come too early", "[mutex]") {
  expect("timed", 3);
  expect("clock", 3);
  expect("invalid", 3);
}

TEST_CASE("two sections have two orders, whatever the kind of the mutex", "[mutex]") {
  expect("recursive", 2);
  expect("adaptive", 2);
  expect("inherit", 2);
}

TEST_CASE("what concerns the priority ceiling is left to the C library", "[mutex]") {
  expect("ceiling", 1);
}

TEST_CASE("an error-checking mutex refuses mistakes, which are none then", "[mutex]") {
  expect("refused", 1);
}

// It is taken by the thread that keeps it first or last; who tries may come while it is held, too.
TEST_CASE("a robust mutex outlives its owner", "[mutex]") {
  expect("robust", 2);
  expect("robust_try", 3);
  expect("unrecoverable", 1);
}

TEST_CASE("what must not be done to a mutex is told", "[mutex]") {
  expectMisuse("unlocked", "main unlocks lock, which is not locked");
  expectMisuse("unlock_twice", "main unlocks lock, which is not locked");
  expectMisuse("lock_destroyed", "main calls pthread_mutex_lock on lock, which has been destroyed");
  expectMisuse("unlock_destroyed", "main calls pthread_mutex_unlock on lock, which has been destroyed");
  expectMisuse("destroy_twice", "main calls pthread_mutex_destroy on lock, which has been destroyed");
  expectMisuse("garbage", "main calls pthread_mutex_lock on lock, which was never initialized");
  expectMisuse("destroy_garbage", "main calls pthread_mutex_destroy on lock, which was never initialized");
  expectMisuse("overwritten", "main calls pthread_mutex_lock on lock, whose memory has been overwritten");
  expectMisuse("destroy_own", "main destroys lock while it holds it");
  expectMisuse("destroy_other", "main destroys lock while keep_for_a_while#1 holds it");
  expectMisuse("init_held", "main initializes lock again while it holds it");
  expectMisuse("forgotten", "keep#1 ends while it holds lock");
  expectMisuse("exit_holding", "keep_and_exit#1 ends while it holds lock");
}

TEST_CASE("a thread that locks a normal mutex twice is said to wait for itself", "[mutex]") {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({program("mutex_misuse", variant), "relock"});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "deadlock");
    CHECK(outcome["bugs"] == "1");
    CHECK(outcome["traces"] == "1");
    CHECK_THAT(outcome.out, Contains("DEADLOCK  main waits for itself: a self-deadlock"));
    CHECK_THAT(outcome.out, Contains("main  holds lock (mutex_misuse.c:") &&
                                Contains("waits in pthread_mutex_lock(lock)") && Contains(", for itself"));
  }
}

TEST_CASE("a lock with a time limit is shown as it was written", "[mutex]") {
  Outcome outcome = check({program("mutex_ways"), "shown"});
  CHECK(outcome["verdict"] == "assertion");
  CHECK_THAT(outcome.out, Contains("pthread_mutex_clocklock(mutex) = ETIMEDOUT") && !Contains("timedlock"));
}

}  // namespace
}  // namespace mcmini
