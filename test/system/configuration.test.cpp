#include <catch2/catch.hpp>
#include <filesystem>

#include "test/support/expected.hpp"
#include "test/support/none.hpp"

// The file beside the program, and the one that the user names. What they may say is in
// test/unit/configuration.test.cpp.

namespace mcmini {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

constexpr int kUsage = 2;

/// A copy of a program, with a configuration beside it.
std::string configured(const ScratchDirectory& directory, const std::string& name, const std::string& yaml) {
  fs::copy_file(program(name), directory / name, fs::copy_options::overwrite_existing);
  directory.write("mcmini.yaml", yaml);
  return (directory / name).string();
}

// counter 3 has 3! behaviours.
TEST_CASE("the configuration beside the program is used", "[configuration]") {
  ScratchDirectory directory;
  std::string counter = configured(directory, "counter", "max-traces: 2\n");
  CHECK(check({counter, "3"}).count("traces") == 2);
  CHECK(check({"--max-traces", "4", counter, "3"}).count("traces") == 4);
  CHECK(check({"--config", "/dev/null", counter, "3"}).count("traces") == 6);
}

TEST_CASE("the configuration that the user names takes the place of the other", "[configuration]") {
  ScratchDirectory directory;
  std::string counter = configured(directory, "counter", "max-traces: 2\n");
  std::string mine = directory.write("mine.yaml", "max-traces: 5\n").string();
  CHECK(check({"--config", mine, counter, "3"}).count("traces") == 5);
}

TEST_CASE("a mistake in a configuration is told with its place", "[configuration]") {
  ScratchDirectory directory;
  Outcome outcome = check({configured(directory, "counter", "first: true\nmax-trace: 2\n")});
  CHECK(outcome.exitCode == kUsage);
  CHECK(outcome.out == kNone);
  CHECK(outcome.err == "mcmini: " + (directory / "mcmini.yaml").string() +
                           ":2:1: there is no option 'max-trace'; did you mean 'max-traces'?\n");
  Outcome missing = check({"--config", "/nowhere.yaml", program("counter")});
  CHECK(missing.exitCode == kUsage);
  CHECK_THAT(missing.err, Contains("/nowhere.yaml cannot be read: there is no such file."));
}

TEST_CASE("a ready plugin may be named beside the program, a file may not", "[configuration]") {
  ScratchDirectory directory;
  std::string latch = configured(directory, "latch", "plugin: latch\n");
  CHECK(check({latch, "4"})["verdict"] == "ok");
  latch = configured(directory, "latch", "plugin: ./latch.so\n");
  Outcome refused = check({latch, "4"});
  CHECK(refused.exitCode == kUsage);
  CHECK_THAT(refused.err, Contains("mcmini.yaml:1:9: 'plugin: ./latch.so' loads code"));
}

TEST_CASE("the effective configuration is printed, with what it comes from", "[configuration]") {
  ScratchDirectory directory;
  std::string counter = configured(directory, "counter", "max-traces: 2\n");
  Outcome outcome = check({"--print-config", "--first", counter, "3"});
  CHECK(outcome.exitCode == 0);
  CHECK_THAT(outcome.out, Contains("first: true  # command line\n"));
  CHECK_THAT(outcome.out, Contains("max-traces: 2  # " + (directory / "mcmini.yaml").string() + ":1:1\n"));
  CHECK_THAT(outcome.out, Contains("max-depth: 200000  # default\n"));
  std::string copy = directory.write("copy.yaml", outcome.out).string();
  CHECK(check({"--config", copy, program("counter"), "3"}).count("traces") == 2);
  CHECK(check({"--print-config"}).exitCode == 0);
}

}  // namespace
}  // namespace mcmini
