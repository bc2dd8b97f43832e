#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

Outcome expect(const std::string& what, const std::string& verdict, std::uint64_t traces,
               const std::string& complete) {
  Outcome last;
  for (const std::string& variant : variants()) {
    last = check({program("polling", variant), what});
    INFO(variant << " " << what << "\n" << last.everything());
    CHECK(last["verdict"] == verdict);
    CHECK(last["traces"] == std::to_string(traces));
    CHECK(last["blocked"] == "0");
    CHECK(last["complete"] == complete);
  }
  return last;
}

// An attempt comes before the section, during it and then after it, or after it. It comes before the post and
// then after it, or after it.
TEST_CASE("a thread that polls waits until another one has changed what it looks at", "[polling]") {
  expect("trylock", "ok", 3, "yes");
  expect("trywait", "ok", 2, "yes");
  expect("getvalue", "ok", 2, "yes");
}

// The post comes before the first of three attempts, after one, after two, or after all.
TEST_CASE("a loop that ends by itself is followed to its end", "[polling]") {
  expect("count", "ok", 4, "yes");
  expect("long", "ok", 1, "yes");
}

TEST_CASE("threads that poll for what never comes are a livelock, with the loop", "[polling]") {
  Outcome never = expect("never", "livelock", 1, "yes");
  CHECK_THAT(never.out, Contains("LIVELOCK  poll_s#1 tries again and again") &&
                            Contains("repeats sem_trywait(s) at polling.c:"));
  Outcome both = expect("each_other", "livelock", 1, "yes");
  CHECK_THAT(both.out, Contains("LIVELOCK  2 threads try again and again"));
}

// The flag is set before the first look, after it, after the second, or after the third, which is as far as
// the loop is followed.
TEST_CASE("a loop that locks to look is followed for some rounds, and never stopped while it has the lock",
          "[polling]") {
  Outcome outcome = expect("yield", "ok", 4, "bounded");
  CHECK_THAT(outcome.out, Contains("Bounded: the loop at polling.c:"));
}

// A thread that nothing seems to fail for is looked after when it has taken sixteen steps: the flag is set
// before one of eight looks, or after them.
TEST_CASE("a loop that locks to look, and does not give way, is told from one that gets on", "[polling]") {
  expect("look", "ok", 9, "bounded");
}

// Nobody but the user can tell it from a thread that works.
TEST_CASE("a loop that locks to look for what never comes is followed to the bound", "[polling]") {
  Outcome outcome = expect("in_vain", "ok", 1, "bounded");
  CHECK_THAT(outcome.out, Contains("--max-depth"));
}

TEST_CASE("threads that hinder each other are followed for some rounds", "[polling]") {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({program("polling", variant), "back_off"});
    INFO(variant << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["complete"] == "bounded");
    CHECK(outcome.elapsed < std::chrono::seconds(20));
    CHECK_THAT(outcome.out, Contains("Bounded: the loop at polling.c:"));
  }
}

}  // namespace
}  // namespace mcmini
