#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// What the standard library has for threads, other than what futex.test.cpp, once.test.cpp and
// rwlock.test.cpp look at.

namespace mcmini {
namespace {

using Catch::Contains;

Outcome expect(const std::string& what, const std::string& verdict, std::uint64_t traces) {
  Outcome last;
  for (const std::string& variant : variants()) {
    last = check({program("std_ways", variant), what});
    INFO(variant << " " << what << "\n" << last.everything());
    CHECK(last["verdict"] == verdict);
    CHECK(last["traces"] == std::to_string(traces));
    CHECK(last["blocked"] == "0");
    CHECK(last["complete"] == "yes");
  }
  return last;
}

TEST_CASE("two sections of the standard library's mutexes have two orders", "[std]") {
  expect("guard", "ok", 2);
  expect("recursive", "ok", 2);
  expect("jthread", "ok", 2);
}

// The attempt comes before the other's section, during it, or after it.
TEST_CASE("attempts to lock the standard library's mutexes may come too early", "[std]") {
  expect("try", "ok", 3);
  expect("try_for", "ok", 3);
  expect("try_until", "ok", 3);
}

// The first lock is given back before the second: who comes then gets the second at once, or has to turn
// round. Times two for who is first.
TEST_CASE("std::scoped_lock takes two mutexes", "[std]") {
  expect("scoped", "ok", 4);
}

TEST_CASE("std::scoped_lock does not deadlock, whatever the order", "[std]") {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({program("std_ways", variant), "scoped_reversed"});
    INFO(variant << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["complete"] == "bounded");
    CHECK_THAT(outcome.out, Contains("Bounded: the loop at "));
  }
}

// The notification comes first, or wakes who waits; with a time limit, the wait may end before it.
TEST_CASE("the standard library's condition variables wake who waits", "[std]") {
  expect("wait", "ok", 2);
  expect("wait_any", "ok", 2);
  expect("wait_for", "ok", 3);
  expect("wait_lost", "deadlock", 2);
}

TEST_CASE("a detached std::thread that main does not wait for is told of", "[std]") {
  CHECK_THAT(expect("detached", "ok", 1).err,
             Contains("main can end the process while thread#1 is still running"));
}

}  // namespace
}  // namespace mcmini
