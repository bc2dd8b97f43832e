#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

// What is said of the programs holds however they are compiled: each atomic operation is one operation.

namespace mcmini {
namespace {

using Catch::Contains;

TEST_CASE("locks made of atomic variables are right", "[atomic]") {
  for (const char* way : {"peterson", "dekker", "ticket", "exchange", "compare_and_swap"})
    for (const std::string& variant : variants()) {
      Outcome outcome = check({program("memory/mutual_exclusion", variant), way});
      INFO(outcome.everything());
      CHECK(outcome["verdict"] == "ok");
      CHECK(outcome["complete"] == "yes");
      CHECK(outcome["blocked"] == "0");
    }
}

TEST_CASE("locks made of atomic variables in the wrong order are found out", "[atomic]") {
  for (const char* way : {"peterson_wrong", "dekker_wrong", "ticket_wrong", "look_and_set"})
    for (const std::string& variant : variants()) {
      Outcome outcome = check({program("memory/mutual_exclusion", variant), way});
      INFO(outcome.everything());
      CHECK(outcome["verdict"] == "assertion");
      CHECK_THAT(outcome.out, Contains("mutual_exclusion.c:"));
    }
}

}  // namespace
}  // namespace mcmini
