#include <catch2/catch.hpp>

#include <map>

#include "test/support/checker.hpp"

// Threads that reach no operation for long are interrupted, so that others may run. They are stuck only if
// nobody else can help them.

namespace mcmini {
namespace {

using Catch::Contains;

Outcome run(const std::string& way, const std::string& variant, const std::string& verdict,
            std::uint64_t traces) {
  Outcome outcome =
      check({"--step-timeout", "1s", "--on-unsupported", "ignore", program("memory_waits", variant), way});
  INFO(variant << " " << way << "\n" << outcome.everything());
  CHECK(outcome["verdict"] == verdict);
  CHECK(outcome["traces"] == std::to_string(traces));
  CHECK(outcome["blocked"] == "0");
  CHECK(outcome["complete"] == (verdict == "ok" ? "yes" : "no"));
  return outcome;
}

void expect(const std::string& way, std::uint64_t traces) {
  for (const char* variant : {"gcc-O0", "clang-O2"}) run(way, variant, "ok", traces);
}

// The section of the thread that waits comes after what it waits for, which is after the other section.
TEST_CASE("a thread that waits for an atomic variable lets the others run", "[memory_waits]") {
  expect("flag", 1);
  expect("flag_after_lock", 1);
  Outcome outcome = run("flag", "gcc-O0", "ok", 1);
  CHECK_THAT(outcome.out, Contains("Complete for the order of operations."));
}

TEST_CASE("a thread that yields until an atomic variable is set cannot be ahead of that", "[memory_waits]") {
  expect("yield", 1);
}

TEST_CASE("threads that wait for one another's variables get on together", "[memory_waits]") {
  expect("chain", 1);
}

// The lock is taken by the one that waits, who is stuck then, or by the other one first.
TEST_CASE("a thread that waits for what nobody can do is stuck", "[memory_waits]") {
  Outcome outcome = run("with_lock", "gcc-O2", "stuck", 2);
  CHECK_THAT(outcome.out,
             Contains("STUCK     await_flag_in_section#1") && Contains("it is at memory_waits.c:49"));
  outcome = run("each_other", "clang-O0", "stuck", 1);
  CHECK(outcome["bugs"] == "1");
}

TEST_CASE("a thread that waits at a pipe lets the others run, and is not told of the signal",
          "[memory_waits]") {
  expect("read", 1);
  expect("poll", 1);
}

// Each of the two may have the lock first, however long the other one works.
TEST_CASE("a thread that works for long is not taken for one that waits", "[memory_waits]") {
  expect("work", 2);
}

TEST_CASE("the search of the papers waits for threads that work, too", "[memory_waits]") {
  for (const auto& [way, traces] :
       std::map<std::string, std::uint64_t>{{"flag_after_lock", 1}, {"work", 2}}) {
    Outcome outcome = check({"--search", "dpor", program("memory_waits", "gcc-O2"), way});
    INFO(way << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome.count("traces") == traces);
  }
}

}  // namespace
}  // namespace mcmini
