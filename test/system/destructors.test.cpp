#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// The end of a thread, and of the process, is under control like all before it.

namespace mcmini {
namespace {

// One section in each of two threads, in either order.
TEST_CASE("the destructor of a key may lock", "[destructors]") {
  expect({"destructors", "key"}, {.traces = 2});
}
TEST_CASE("the destructor of a thread-local object may lock", "[destructors]") {
  expect({"destructors", "thread_local"}, {.traces = 2});
}

// The thread gets the mutex before main does, or never.
TEST_CASE("a deadlock in the destructor of a key is found", "[destructors]") {
  expect({"destructors", "key_deadlock"}, deadlockIn(2));
}
TEST_CASE("a deadlock in the destructor of a thread-local object is found", "[destructors]") {
  expect({"destructors", "thread_local_deadlock"}, deadlockIn(2));
}

// Four sections in each of two threads: 8 over 4.
TEST_CASE("destructors of keys run under control for four rounds", "[destructors]") {
  expect({"destructors", "rounds"}, {.traces = 70});
  expect({"destructors", "rounds_of_a_later_key"}, {.traces = 70});
}

// The section of a detached thread comes before or after that of main's end.
TEST_CASE("what main destroys at its end may lock", "[destructors]") {
  expect({"destructors", "local_of_main"}, {.traces = 2});
  expect({"destructors", "static"}, {.traces = 2});
  expect({"destructors", "atexit"}, {.traces = 2});
}

// The detached thread has the mutex for ever by then, or main is quicker.
TEST_CASE("a deadlock at the end of the process is found", "[destructors]") {
  expect({"destructors", "static_deadlock"}, deadlockIn(2));
  expect({"destructors", "atexit_deadlock"}, deadlockIn(2));
}

}  // namespace
}  // namespace mcmini
