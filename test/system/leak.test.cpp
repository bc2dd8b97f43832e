#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// What is initialized by a call is to be destroyed by a call, if the user wants to know.

namespace mcmini {
namespace {

using Catch::Contains;

const std::vector<std::string> kLeak = {"--check", "leak"};

void expectLeak(const std::string& what, const std::string& sentence, std::uint64_t traces = 1) {
  Outcome outcome = expect({"leaks", what}, {"misuse", 1, traces}, kLeak);
  CHECK_THAT(outcome.out, Contains("MISUSE    " + sentence));
}

TEST_CASE("what is never destroyed is told with the place where it was made", "[leak]") {
  expectLeak("mutex", "other is never destroyed; main called pthread_mutex_init(other) at " +
                          marked("leaks.c", "mutex"));
  expectLeak("cond", "cond is never destroyed; main called pthread_cond_init(cond) at leaks.c:");
  expectLeak("rwlock", "rwlock is never destroyed; main called pthread_rwlock_init(rwlock) at leaks.c:");
  expectLeak("barrier", "barrier is never destroyed; main called pthread_barrier_init(barrier) at leaks.c:");
  expectLeak("semaphore", "semaphore is never destroyed; main called sem_init(semaphore) at leaks.c:");
  expectLeak("spin", "spin is never destroyed; main called pthread_spin_init(spin) at leaks.c:");
}

TEST_CASE("each place where something is made is one bug", "[leak]") {
  expect({"leaks", "both"}, {"misuse", 2}, kLeak);
  expect({"leaks", "heap"}, {"misuse", 1}, kLeak);
}

// The thread's section comes before main's, or after it.
TEST_CASE("what is destroyed in one run only is never destroyed in another", "[leak]") {
  expectLeak("sometimes", "other is never destroyed", 2);
}

// In the last one the notification comes first, or wakes who waits.
TEST_CASE("what is destroyed, or was made without a call, is not left behind", "[leak]") {
  expect({"leaks", "destroyed"}, {}, kLeak);
  expect({"leaks", "static"}, {}, kLeak);
  expect({"std_ways", "wait_any"}, {.traces = 2}, kLeak);
}

TEST_CASE("a program that gives up need not clean up", "[leak]") {
  expect({"leaks", "gives_up"}, {"exit", 1}, kLeak);
}

TEST_CASE("nobody is told who does not ask", "[leak]") {
  for (const std::string what : {"mutex", "cond", "both", "heap"}) expect({"leaks", what}, {});
}

TEST_CASE("there is nothing else to look for yet", "[leak]") {
  Outcome outcome = check({"--check", "everything", program("leaks"), "mutex"});
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("--check takes one of leak, not 'everything'"));
}

}  // namespace
}  // namespace mcmini
