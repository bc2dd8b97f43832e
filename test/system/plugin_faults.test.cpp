#include <catch2/catch.hpp>

#include "test/support/checker.hpp"
#include "test/support/none.hpp"

// A plugin that comes to harm while a program is checked is named, whatever it does. Nothing is left behind.

namespace mcmini {
namespace {

using Catch::Contains;

std::string wrongPlugin(const std::string& name) {
  return MCMINI_BINARY_DIR "/test/wrong_plugins/" + name + ".so";
}

void expectBlamed(const std::string& name, const std::string& what) {
  Outcome outcome = check({"--plugin", wrongPlugin(name), program("gate_user")});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 70);
  CHECK(outcome.out == kNone);
  CHECK_THAT(outcome.err, Contains("mcmini: the plugin " + wrongPlugin(name) + " " + what) &&
                              Contains("The fault is the plugin's; mcmini plugin check "));
}

TEST_CASE("a plugin that throws an exception is named", "[plugin_faults]") {
  expectBlamed("throws", "threw an exception: ");
}

TEST_CASE("a plugin that crashes is named", "[plugin_faults]") {
  expectBlamed("crashes", "crashed: SIGSEGV");
}

TEST_CASE("a plugin that does not come back is named", "[plugin_faults]") {
  expectBlamed("endless", "does not come back");
}

TEST_CASE("a plugin that comes to no harm checks the same program", "[plugin_faults]") {
  Outcome outcome = check({"--plugin", wrongPlugin("one_side_only"), program("gate_user")});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 0);
}

// The program is not linked with its functions, and they are not beside it.
TEST_CASE("a plugin whose operations nobody can announce is named", "[plugin_faults]") {
  Outcome outcome = check({"--plugin", wrongPlugin("one_side_only"), program("counter")});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 2);
  CHECK(outcome.out == kNone);
  CHECK_THAT(outcome.err, Contains(wrongPlugin("one_side_only") + " is only the model") &&
                              Contains("libone_side_only.so, is neither beside it nor in"));
}

TEST_CASE("an operation that nobody models is named, with its line", "[plugin_faults]") {
  Outcome outcome = check({program("gate_user")});
  INFO(outcome.everything());
  CHECK(outcome.exitCode == 2);
  CHECK_THAT(outcome.err, Contains("announces the operation 'gate.open' (gate_user.c:") &&
                              Contains("Add it with --plugin"));
}

}  // namespace
}  // namespace mcmini
