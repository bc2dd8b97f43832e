#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

// Random numbers repeat in each run, and each thread's are its own.

namespace mcmini {
namespace {

void expect(const std::string& name, const std::string& source, std::uint64_t traces) {
  Outcome outcome = check({program(name), source});
  INFO(name << " " << source << "\n" << outcome.everything());
  CHECK(outcome["verdict"] == "ok");
  CHECK(outcome["traces"] == std::to_string(traces));
  CHECK(outcome["complete"] == "yes");
}

// Two threads lock what they draw, each among its own, and then the common lock in either order.
TEST_CASE("a program that draws random numbers repeats itself", "[chance]") {
  for (const char* source :
       {"rand", "random", "drand48", "lrand48", "mrand48", "getrandom", "syscall", "getentropy"})
    expect("chance", source, 2);
}

TEST_CASE("a program that draws from a random device repeats itself", "[chance]") {
  for (const char* source : {"default", "/dev/urandom", "getentropy"}) expect("chance_std", source, 2);
}

TEST_CASE("a single thread draws what it would draw without the checker", "[chance]") {
  expect("chance", "known_numbers", 1);
}

TEST_CASE("threads are seeded by their creators, each in its own way", "[chance]") {
  expect("chance", "seeds", 1);
}

}  // namespace
}  // namespace mcmini
