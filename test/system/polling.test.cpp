#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

// An attempt comes before the section, during it and then after it, or after it. It comes before the post and
// then after it, or after it.
TEST_CASE("a thread that polls waits until another one has changed what it looks at", "[polling]") {
  expect({"polling", "trylock"}, {.traces = 3});
  expect({"polling", "trywait"}, {.traces = 2});
  expect({"polling", "getvalue"}, {.traces = 2});
}

// The post comes before the first of three attempts, after one, after two, or after all.
TEST_CASE("a loop that ends by itself is followed to its end", "[polling]") {
  expect({"polling", "count"}, {.traces = 4});
  expect({"polling", "long"}, {});
  expect({"polling", "patient"}, {});
}

// The token comes before one of 300 attempts, or after all. What takes longer is not followed, which is told.
TEST_CASE("who tries many times may try in vain", "[polling]") {
  expect({"tries", "many"}, {"assertion", 1, 301});
  Outcome outcome = expect({"tries", "very_many"}, {.traces = 2, .complete = "bounded"});
  CHECK_THAT(outcome.out, Contains("Bounded: the loop at tries.c:"));
}

// The first token comes before one of three attempts, or after all. If it comes in time, the second one comes
// before the first attempt to get it, or after that.
TEST_CASE("a loop that is endless at one object may end at another", "[polling]") {
  expect({"tries", "elsewhere"}, {"assertion", 1, 7});
}

TEST_CASE("threads that poll for what never comes are a livelock, with the loop", "[polling]") {
  Outcome never = expect({"polling", "never"}, {"livelock", 1, 1});
  CHECK_THAT(never.out, Contains("LIVELOCK  poll_s#1 tries again and again") &&
                            Contains("repeats sem_trywait(s) (polling.c:"));
  Outcome both = expect({"polling", "each_other"}, {"livelock", 1, 1});
  CHECK_THAT(both.out, Contains("LIVELOCK  2 threads try again and again"));
}

TEST_CASE("wherever in its loop a thread stands, it is one livelock", "[polling]") {
  for (const char* search : {"optimal", "dpor", "naive"}) {
    Outcome outcome = check({"--search", search, program("polling"), "yield_in_vain"});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "livelock");
    CHECK(outcome["bugs"] == "1");
  }
}

TEST_CASE("threads that yield until another one has set a variable, each for the other, are a livelock",
          "[polling]") {
  Outcome outcome = expect({"polling", "yield_for_each_other"}, {"livelock", 1, 1});
  CHECK_THAT(outcome.out, Contains("LIVELOCK  2 threads try again and again") &&
                              Contains("repeats sched_yield() (polling.c:"));
  CHECK(check({program("polling"), "yield_in_turns"})["verdict"] == "ok");
}

// One thread nests its locks before the other one, after it, or they wait for each other. If they do not,
// main looks before the post and then after it, or after it.
TEST_CASE("threads that wait for each other are a deadlock, whoever goes on for ever beside them",
          "[polling]") {
  Outcome outcome = expect({"polling", "beside"}, {"deadlock", 1, 5});
  CHECK_THAT(outcome.out, Contains("DEADLOCK  nest#1 and nest_otherwise_then_post_s#1 wait for each other") &&
                              Contains("repeats sem_trywait(s) (polling.c:") && !Contains("LIVELOCK"));
  outcome = expect({"polling", "beside_it"}, {"livelock", 2, 3});
  CHECK_THAT(outcome.out, Contains("DEADLOCK  nest#1 and nest_otherwise_then_post_s#1 wait for each other"));
  expect({"polling", "a_while"}, {.traces = 3});
}

TEST_CASE("threads that wait for each other are a deadlock, though others lock to look, and are left off",
          "[polling]") {
  Outcome outcome = check({program("look_beside")});
  CHECK(outcome["verdict"] == "deadlock");
  CHECK(outcome["bugs"] == "1");
  CHECK(outcome["complete"] == "bounded");
}

// The flag is set before the first look, after it, after the second, or after the third, which is as far as
// the loop is followed.
TEST_CASE("a loop that locks to look is followed for some rounds, and never stopped while it has the lock",
          "[polling]") {
  Outcome outcome = expect({"polling", "yield"}, {.traces = 4, .complete = "bounded"});
  CHECK_THAT(outcome.out, Contains("Bounded: the loop at polling.c:"));
}

// The flag is set before the first look, after it, or after the second, which is as far as the loop is
// followed once it is known.
TEST_CASE("a loop that locks to look, and does not give way, is told from one that gets on", "[polling]") {
  expect({"polling", "look"}, {.traces = 3, .complete = "bounded"});
}

// How many behaviours that are is a matter of the bound.
TEST_CASE("threads that lock to look in turns do not do so for ever", "[polling]") {
  expect({"polling", "two_look"}, {.traces = 54, .complete = "bounded"});
}

// Nobody but the user can tell it from a thread that works.
// That takes seconds, so one build has to do.
TEST_CASE("a loop that locks to look for what never comes is followed to the bound", "[polling]") {
  Outcome outcome = check({program("polling", "clang-O2"), "in_vain"});
  compare(outcome, {.traces = 1, .complete = "bounded"});
  CHECK_THAT(outcome.out, Contains("--max-depth"));
}

// How many that are is a matter of the bound: more than with three attempts each, which have 261 behaviours.
TEST_CASE("threads that hinder each other are followed for some rounds", "[polling]") {
  Outcome outcome = expect({"polling", "back_off"}, {.traces = 351, .complete = "bounded"});
  CHECK(outcome.elapsed < std::chrono::seconds(20));
  CHECK_THAT(outcome.out, Contains("Bounded: the loop at polling.c:"));
}

}  // namespace
}  // namespace mcmini
