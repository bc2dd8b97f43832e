#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// How many behaviours each program has is derived in the comment at its head; the numbers agree with those of
// other optimal model checkers.

namespace mcmini {
namespace {

void expectCorrect(const std::string& name, int n, std::uint64_t traces, const std::string& variant) {
  INFO(variant << " " << name << " " << n);
  Outcome outcome = check({program(name, variant), std::to_string(n)});
  CHECK(outcome.exitCode == 0);
  CHECK(outcome["verdict"] == "ok");
  CHECK(outcome["bugs"] == "0");
  CHECK(outcome["traces"] == std::to_string(traces));
  CHECK(outcome["blocked"] == "0");
  CHECK(outcome["complete"] == "yes");
}

void expectOneBug(const std::vector<std::string>& command, const std::string& verdict, std::uint64_t traces) {
  INFO(command.front());
  Outcome outcome = check(command);
  CHECK(outcome.exitCode == 1);
  CHECK(outcome["verdict"] == verdict);
  CHECK(outcome["bugs"] == "1");
  CHECK(outcome["traces"] == std::to_string(traces));
  CHECK(outcome["blocked"] == "0");
  CHECK(outcome["complete"] == "yes");
}

TEST_CASE("philosophers with one reversed have two to the n less two behaviours", "[counts]") {
  for (const std::string& variant : variants())
    for (int n = 2; n <= 8; ++n) expectCorrect("philosophers", n, (1U << n) - 2, variant);
}

TEST_CASE("philosophers who all start on the left have one more, which is the deadlock", "[counts]") {
  for (const std::string& variant : variants())
    for (int n = 2; n <= 8; ++n)
      expectOneBug({program("philosophers_all_left", variant), std::to_string(n)}, "deadlock", (1U << n) - 1);
}

TEST_CASE("n threads with one critical section each have n! behaviours", "[counts]") {
  for (const std::string& variant : variants())
    for (std::uint64_t n = 2, traces = 2; n <= 6; traces *= ++n)
      expectCorrect("counter", static_cast<int>(n), traces, variant);
}

TEST_CASE("threads that share nothing have one behaviour", "[counts]") {
  for (const std::string& variant : variants())
    for (int n : {1, 2, 7, 30}) expectCorrect("independent", n, 1, variant);
}

TEST_CASE("the last zero has the counts of other optimal checkers", "[counts]") {
  for (const std::string& variant : variants())
    for (const auto& [n, traces] :
         {std::pair(3, 12U), std::pair(4, 28U), std::pair(5, 64U), std::pair(8, 704U)})
      expectCorrect("last_zero", n, traces, variant);
}

TEST_CASE("two locks in opposite order have three behaviours, one of them the deadlock", "[counts]") {
  for (const std::string& variant : variants()) {
    expectOneBug({program("ab_ba", variant)}, "deadlock", 3);
    expectOneBug({program("ab_ba_std", variant)}, "deadlock", 3);
  }
}

// The rent is paid before the look, between look and payment, or after it.
TEST_CASE("an assertion that one order of three fails is found", "[counts]") {
  for (const std::string& variant : variants())
    expectOneBug({program("lost_update", variant)}, "assertion", 3);
}

TEST_CASE("a crash that one order of two shows is found", "[counts]") {
  for (const std::string& variant : variants())
    expectOneBug({program("use_after_teardown", variant)}, "crash", 2);
}

TEST_CASE("a status other than zero that one order of two has is found", "[counts]") {
  for (const std::string& variant : variants()) expectOneBug({program("missed_job", variant)}, "exit", 2);
}

void expectTraces(const std::string& name, const std::string& mode, const std::string& traces) {
  for (const std::string& variant : variants()) {
    INFO(variant << " " << name << " " << mode);
    Outcome outcome = check({program(name, variant), mode});
    CHECK(outcome.exitCode == 0);
    CHECK(outcome["traces"] == traces);
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
}

// Against a lock, the attempt comes before it, while it is held, or after. Of two attempts one comes before
// the other, which is refused or comes after the unlock: 2 * 2.
TEST_CASE("an attempt to lock sees the mutex free and taken", "[counts]") {
  expectTraces("mutex_kinds", "trylock_lock", "3");
  expectTraces("mutex_kinds", "trylock_trylock", "4");
}

TEST_CASE("recursive and error-checking mutexes have two orders for two threads", "[counts]") {
  expectTraces("mutex_kinds", "recursive", "2");
  expectTraces("mutex_kinds", "errorcheck", "2");
}

// Whatever the search, it is the same program.
void expectVerdicts(const std::string& search, const std::vector<std::string>& command,
                    const std::string& verdict) {
  std::vector<std::string> words = {"--search", search};
  words.insert(words.end(), command.begin(), command.end());
  INFO(search << " " << command.front());
  Outcome outcome = check(words);
  CHECK(outcome["verdict"] == verdict);
  CHECK(outcome["bugs"] == (verdict == "ok" ? "0" : "1"));
  CHECK(outcome["complete"] == "yes");
  CHECK(outcome.count("traces") >= check(command).count("traces"));
}

TEST_CASE("dpor comes to the same verdicts", "[counts]") {
  expectVerdicts("dpor", {program("philosophers"), "5"}, "ok");
  expectVerdicts("dpor", {program("philosophers_all_left"), "5"}, "deadlock");
  expectVerdicts("dpor", {program("counter"), "4"}, "ok");
  expectVerdicts("dpor", {program("ab_ba")}, "deadlock");
  expectVerdicts("dpor", {program("ab_ba_std")}, "deadlock");
  expectVerdicts("dpor", {program("lost_update")}, "assertion");
  expectVerdicts("dpor", {program("use_after_teardown")}, "crash");
  expectVerdicts("dpor", {program("missed_job")}, "exit");
}

TEST_CASE("the naive search comes to the same verdicts", "[counts]") {
  expectVerdicts("naive", {program("counter"), "2"}, "ok");
  expectVerdicts("naive", {program("ab_ba")}, "deadlock");
  expectVerdicts("naive", {program("lost_update")}, "assertion");
  expectVerdicts("naive", {program("use_after_teardown")}, "crash");
  expectVerdicts("naive", {program("missed_job")}, "exit");
}

// main: create 1, create 2, join 1, join 2, end; thread: start, lock, unlock, end. If k steps of thread 1
// come before "create 2", the others and "join 1" mix with the 4 of thread 2 in (9-k over 4) ways: 126 + 70 +
// 35 + 15 + 5.
TEST_CASE("the naive search runs every interleaving once", "[counts]") {
  Outcome outcome = check({"--search", "naive", program("independent"), "2"});
  CHECK(outcome["traces"] == "251");
  CHECK(outcome["complete"] == "yes");
}

}  // namespace
}  // namespace mcmini
