#include <catch2/catch.hpp>

#include "test/support/brute_force.hpp"
#include "test/support/built_in.hpp"
#include "test/support/exploration.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {
namespace {

// Either may be the first to run the handlers, and either the one that ends the process.
TEST_CASE("who comes first to the end of the process, and who ends it, are tried both ways", "[process]") {
  Program program = parallel({{runHandlers(), exitWith(0)}, {runHandlers(), exitWith(3)}});
  test::BuiltIn plugins;
  Labels labels;
  auto all = bruteForce(program, labels, {}, plugins.model());
  REQUIRE(all);
  Exploration exploration = explore(program, labels, {.model = &plugins.model()});
  CHECK(all->traces.size() == 4);
  CHECK(exploration.distinct().size() == 4);
  CHECK(exploration.redundant() == 0);
  CHECK(exploration.bugs() == all->bugs);
}

}  // namespace
}  // namespace mcmini
