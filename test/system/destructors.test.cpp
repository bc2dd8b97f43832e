#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// The end of a thread, and of the process, is under control like all before it.

namespace mcmini {
namespace {

void expect(const std::string& what, const std::string& verdict, std::uint64_t traces) {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({program("destructors", variant), what});
    INFO(variant << " " << what << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == verdict);
    CHECK(outcome["bugs"] == (verdict == "ok" ? "0" : "1"));
    CHECK(outcome["traces"] == std::to_string(traces));
    CHECK(outcome["complete"] == "yes");
  }
}

// One section in each of two threads, in either order.
TEST_CASE("the destructor of a key may lock", "[destructors]") {
  expect("key", "ok", 2);
}
TEST_CASE("the destructor of a thread-local object may lock", "[destructors]") {
  expect("thread_local", "ok", 2);
}

// The thread gets the mutex before main does, or never.
TEST_CASE("a deadlock in the destructor of a key is found", "[destructors]") {
  expect("key_deadlock", "deadlock", 2);
}
TEST_CASE("a deadlock in the destructor of a thread-local object is found", "[destructors]") {
  expect("thread_local_deadlock", "deadlock", 2);
}

// Four sections in each of two threads: 8 over 4.
TEST_CASE("destructors of keys run under control for four rounds", "[destructors]") {
  expect("rounds", "ok", 70);
  expect("rounds_of_a_later_key", "ok", 70);
}

// The section of a detached thread comes before or after that of main's end.
TEST_CASE("what main destroys at its end may lock", "[destructors]") {
  expect("local_of_main", "ok", 2);
  expect("static", "ok", 2);
  expect("atexit", "ok", 2);
}

// The detached thread has the mutex for ever by then, or main is quicker.
TEST_CASE("a deadlock at the end of the process is found", "[destructors]") {
  expect("static_deadlock", "deadlock", 2);
  expect("atexit_deadlock", "deadlock", 2);
}

}  // namespace
}  // namespace mcmini
