#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// Random numbers repeat in each run, and each thread's are its own.

namespace mcmini {
namespace {

// Two threads lock what they draw, each among its own, and then the common lock in either order.
TEST_CASE("a program that draws random numbers repeats itself", "[chance]") {
  for (const char* source :
       {"rand", "random", "drand48", "lrand48", "mrand48", "getrandom", "syscall", "getentropy", "pid"})
    expect({"chance", source}, {.traces = 2});
}

TEST_CASE("a program that draws from a random device repeats itself", "[chance]") {
  for (const char* source : {"default", "/dev/urandom", "getentropy"})
    expect({"chance_std", source}, {.traces = 2});
}

TEST_CASE("a single thread draws what it would draw without the checker", "[chance]") {
  expect({"chance", "known_numbers"}, {});
}

TEST_CASE("threads are seeded by their creators, each in its own way", "[chance]") {
  expect({"chance", "seeds"}, {});
}

}  // namespace
}  // namespace mcmini
