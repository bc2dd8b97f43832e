#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// What is initialized by a call is to be destroyed by a call, if the user wants to know.

namespace mcmini {
namespace {

using Catch::Contains;

Outcome leak(const std::string& what) {
  return check({"--check", "leak", program("leaks"), what});
}

void expectLeak(const std::string& what, const std::string& sentence, std::uint64_t traces = 1) {
  Outcome outcome = leak(what);
  INFO(outcome.everything());
  CHECK(outcome["verdict"] == "misuse");
  CHECK(outcome["bugs"] == "1");
  CHECK(outcome["traces"] == std::to_string(traces));
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
  CHECK(leak("both")["bugs"] == "2");
  CHECK(leak("heap")["bugs"] == "1");
}

// The thread's section comes before main's, or after it.
TEST_CASE("what is destroyed in one run only is never destroyed in another", "[leak]") {
  expectLeak("sometimes", "other is never destroyed", 2);
}

void expectOk(const Outcome& outcome) {
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 0);
  CHECK(outcome["verdict"] == "ok");
}

TEST_CASE("what is destroyed, or was made without a call, is not left behind", "[leak]") {
  expectOk(leak("destroyed"));
  expectOk(leak("static"));
  expectOk(check({"--check", "leak", program("std_ways"), "wait_any"}));
}

TEST_CASE("a program that gives up need not clean up", "[leak]") {
  Outcome outcome = leak("gives_up");
  CHECK(outcome["verdict"] == "exit");
  CHECK(outcome["bugs"] == "1");
}

TEST_CASE("nobody is told who does not ask", "[leak]") {
  for (const std::string what : {"mutex", "cond", "both", "heap"}) expectOk(check({program("leaks"), what}));
}

TEST_CASE("there is nothing else to look for yet", "[leak]") {
  Outcome outcome = check({"--check", "everything", program("leaks"), "mutex"});
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("--check takes one of leak, not 'everything'"));
}

}  // namespace
}  // namespace mcmini
