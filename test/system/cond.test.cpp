#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

void expect(const std::vector<std::string>& command, const std::string& verdict, std::uint64_t traces) {
  for (const std::string& variant : variants()) {
    std::vector<std::string> words = command;
    std::string& name = words[words.size() - 2];
    name = program(name, variant);
    Outcome outcome = check(words);
    INFO(variant << " " << words.back() << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == verdict);
    CHECK(outcome["traces"] == std::to_string(traces));
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
}

void expectMisuse(const std::string& what, std::uint64_t traces, const std::string& sentence) {
  expect({"cond_misuse", what}, "misuse", traces);
  Outcome outcome = check({program("cond_misuse"), what});
  INFO(outcome.everything());
  CHECK(outcome["bugs"] == "1");
  CHECK_THAT(outcome.out, Contains("MISUSE    " + sentence));
}

// The signal comes first, and nobody waits; or it wakes who waits. A signal after the mutex is given back
// comes too late to matter, or wakes who waits.
TEST_CASE("a condition variable wakes who waits", "[cond]") {
  expect({"cond_ways", "handover"}, "ok", 2);
  expect({"cond_ways", "unlocked"}, "ok", 2);
}

// The signal comes first; or the wait ends before it, or by it.
TEST_CASE("a wait with a time limit may end at any time", "[cond]") {
  expect({"cond_ways", "timed"}, "ok", 3);
  expect({"cond_ways", "clock"}, "ok", 3);
  expect({"cond_ways", "monotonic"}, "ok", 3);
  expect({"cond_ways", "invalid"}, "ok", 1);
}

// As with C11: the broadcast comes first, then two sections in either order: 2. It comes after one of the
// waits: 2 for which, times 2 for who gets the mutex next. It comes after both: 2 for their order, times 2
// for the order in which they wake up.
TEST_CASE("a broadcast wakes all", "[cond]") {
  expect({"cond_ways", "broadcast"}, "ok", 10);
}

// Main has two sections, M and N. The second thread comes after N, between M and N, or before M; then it
// looks after N, or also between. That is M N S, M S N S, S M N S or S M S N S. The first one comes at any
// place after M: 3 + 4 + 3 + 4. Or it comes before M and is back at any place after M: 3 + 4 + 2 * 3 + 2 * 4.
TEST_CASE("a signal after a broadcast is for who has come since, even if nobody has left yet", "[cond]") {
  expect({"cond_ways", "latecomer"}, "ok", 35);
  expect({"--policy", "cond=fifo", "cond_ways", "latecomer"}, "ok", 35);
  expect({"--policy", "cond=lifo", "cond_ways", "latecomer"}, "ok", 35);
}

TEST_CASE("a signal that nobody waits for is lost", "[cond]") {
  expect({"cond_ways", "lost"}, "deadlock", 2);
}

// The thread comes before main's section or after it.
TEST_CASE("a condition variable can be destroyed as soon as all have been woken", "[cond]") {
  expect({"cond_ways", "destroyed"}, "ok", 2);
}

TEST_CASE("producers and consumers have the counts of brute force", "[cond][counts]") {
  expect({"producer_consumer", "1"}, "ok", 2);
  expect({"producer_consumer", "2"}, "ok", 64);
  for (const std::string policy : {"cond=fifo", "cond=lifo"}) {
    expect({"--policy", policy, "producer_consumer", "1"}, "ok", 2);
    expect({"--policy", policy, "producer_consumer", "2"}, "ok", 56);
  }
}

TEST_CASE("what must not be done to a condition variable is told", "[cond]") {
  expectMisuse("without_mutex", 1, "main waits on cond without holding mutex");
  expectMisuse("of_another", 1, "await_without#1 waits on cond without holding mutex");
  expectMisuse("wait_destroyed", 1, "main calls pthread_cond_wait(cond, mutex), but cond has been destroyed");
  expectMisuse("signal_destroyed", 1, "main calls pthread_cond_signal(cond), but cond has been destroyed");
  expectMisuse("destroy_twice", 1, "main calls pthread_cond_destroy(cond), but cond has been destroyed");
  expectMisuse("wait_garbage", 1,
               "main calls pthread_cond_wait(cond, mutex), but cond was never initialized");
  expectMisuse("destroy_garbage", 1, "main calls pthread_cond_destroy(cond), but cond was never initialized");
  expectMisuse("signal_garbage", 1, "main calls pthread_cond_signal(cond), but cond was never initialized");
}

// One of the two is the second to come, by its own mutex.
TEST_CASE("two mutexes with one condition variable are told of", "[cond]") {
  expectMisuse("two_mutexes", 2,
               "await#2 waits on cond with other, while others wait on it with mutex, at cond_misuse.c:");
}

// The thread waits when main comes, or comes later.
TEST_CASE("a condition variable must not be destroyed or initialized while threads wait", "[cond]") {
  expectMisuse("destroy_waiting", 2, "main destroys cond while threads wait on it");
  expectMisuse("init_waiting", 2, "main initializes cond again while threads wait on it");
}

TEST_CASE("a wait with a time limit is shown as it was written", "[cond]") {
  Outcome outcome = check({program("cond_ways"), "shown"});
  CHECK(outcome["verdict"] == "assertion");
  CHECK_THAT(outcome.out, Contains("pthread_cond_clockwait(cond, mutex)") && !Contains("pthread_cond_wait"));
}

}  // namespace
}  // namespace mcmini
