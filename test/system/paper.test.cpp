#include <catch2/catch.hpp>

#include <algorithm>

#include "test/support/expected.hpp"

// Experiments of the McMini paper, in fewer runs. policies/README.md tells why ours come in another order.

namespace mcmini {
namespace {

using Catch::Contains;

/// Until the first bug, with 6 operations a thread.
void expectFoundAt(const std::string& producers, std::uint64_t run, std::uint64_t theirs) {
  CHECK(run < theirs);
  Outcome outcome = expect({"if_instead_of_while", producers}, {"assertion", 1, run, "no"},
                           {"--policy", "spurious", "--max-thread-depth", "6", "--first"});
  CHECK_THAT(outcome.out, Contains("   run " + std::to_string(run) + " "));
  CHECK_THAT(outcome.out, Contains("woken spuriously, nobody had signalled"));
}

TEST_CASE("Table 8: a spurious wakeup is found in the first runs", "[paper]") {
  expectFoundAt("1", 2, 28);
  expectFoundAt("2", 2, 1'046);
  expectFoundAt("3", 9, 45'040);
}

TEST_CASE("Table 8: without bounds each has that one bug, and none with `while`", "[paper]") {
  expect({"if_instead_of_while", "1", "if"}, {"assertion", 1, 3}, {"--policy", "spurious"});
  expect({"if_instead_of_while", "2", "if"}, {"assertion", 1, 17}, {"--policy", "spurious"});
  expect({"if_instead_of_while", "3", "if"}, {"assertion", 1, 163}, {"--policy", "spurious"});
  expect({"if_instead_of_while", "1", "while"}, {.traces = 3}, {"--policy", "spurious"});
  expect({"if_instead_of_while", "2", "while"}, {.traces = 22}, {"--policy", "spurious"});
  expect({"if_instead_of_while", "3", "while"}, {.traces = 252}, {"--policy", "spurious"});
}

/// Philosophers, three of them, with a semaphore; `all`: the locks have the same policy, too.
void expectTraces(const std::string& policy, std::uint64_t traces, std::uint64_t all, std::uint64_t theirs) {
  CHECK(std::max(traces, all) < theirs);
  for (const auto& [kind, expected] : {std::pair("sem=" + policy, traces), std::pair(policy, all)})
    expect({"philosophers_semaphore", "3"}, {.traces = expected}, {"--policy", kind});
}

/// The default answers of a policy, but for one. Returns the file.
std::string anyone(const ScratchDirectory& directory, const std::string& orderMatters) {
  std::string source =
      "#include \"plugins/plugin.hpp\"\n"
      "struct Anyone : mcmini::WakeupPolicy {\n"
      "  bool orderMatters() const override { return " +
      orderMatters +
      "; }\n"
      "  std::string describe() const override { return \"anybody may be next\"; }\n"
      "};\n"
      "MCMINI_PLUGIN(\"anyone\", catalog) { catalog.addPolicy<Anyone>(\"anyone\"); }\n";
  return buildPlugin(directory, "anyone", directory.write("anyone.cpp", source));
}

TEST_CASE("Table 9: philosophers with a semaphore take fewer runs under every policy", "[paper]") {
  expectTraces("lifo", 438, 990, 4'519);
  expectTraces("fifo", 168, 168, 5'801);
  expectTraces("arbitrary", 48, 48, 601);
}

TEST_CASE("Table 9: an enqueue whose order does not matter costs few runs", "[paper]") {
  ScratchDirectory directory;
  expectTraces(anyone(directory, "false"), 66, 66, 3'918);
}

TEST_CASE("Table 9: an enqueue that depends on all others costs as many runs as lifo", "[paper]") {
  ScratchDirectory directory;
  expectTraces(anyone(directory, "true"), 438, 990, 11'344);
}

}  // namespace
}  // namespace mcmini
