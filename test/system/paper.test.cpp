#include <catch2/catch.hpp>

#include <algorithm>

#include "test/support/checker.hpp"

// Experiments of the McMini paper, in fewer runs. policies/README.md tells why ours come in another order.

namespace mcmini {
namespace {

using Catch::Contains;

/// Until the first bug, with 6 operations a thread.
void expectFoundAt(const std::string& producers, std::uint64_t run, std::uint64_t theirs) {
  CHECK(run < theirs);
  for (const std::string& variant : variants()) {
    Outcome outcome = check({"--policy", "spurious", "--max-thread-depth", "6", "--first",
                             program("if_instead_of_while", variant), producers});
    INFO(variant << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == "assertion");
    CHECK(outcome["traces"] == std::to_string(run));
    CHECK_THAT(outcome.out, Contains("[run " + std::to_string(run) + ", "));
    CHECK_THAT(outcome.out, Contains("woken spuriously, nobody had signalled"));
  }
}

TEST_CASE("Table 8: a spurious wakeup is found in the first runs", "[paper]") {
  expectFoundAt("1", 2, 28);
  expectFoundAt("2", 2, 1'046);
  expectFoundAt("3", 9, 45'040);
}

void expectAllTraces(const std::string& producers, const std::string& how, const std::string& verdict,
                     std::uint64_t traces) {
  Outcome outcome = check({"--policy", "spurious", program("if_instead_of_while"), producers, how});
  INFO(outcome.everything());
  CHECK(outcome["verdict"] == verdict);
  CHECK(outcome["bugs"] == (verdict == "ok" ? "0" : "1"));
  CHECK(outcome["traces"] == std::to_string(traces));
  CHECK(outcome["blocked"] == "0");
  CHECK(outcome["complete"] == "yes");
}

TEST_CASE("Table 8: without bounds each has that one bug, and none with `while`", "[paper]") {
  expectAllTraces("1", "if", "assertion", 3);
  expectAllTraces("2", "if", "assertion", 17);
  expectAllTraces("3", "if", "assertion", 163);
  expectAllTraces("1", "while", "ok", 3);
  expectAllTraces("2", "while", "ok", 22);
  expectAllTraces("3", "while", "ok", 252);
}

/// Philosophers, three of them, with a semaphore; `all`: the locks have the same policy, too.
void expectTraces(const std::string& policy, std::uint64_t traces, std::uint64_t all, std::uint64_t theirs) {
  CHECK(std::max(traces, all) < theirs);
  for (const auto& [kind, expected] : {std::pair("sem=" + policy, traces), std::pair(policy, all)}) {
    Outcome outcome = check({"--policy", kind, program("philosophers_semaphore"), "3"});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["traces"] == std::to_string(expected));
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
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
  expectTraces("arbitrary", 66, 66, 601);
}

TEST_CASE("Table 9: an enqueue whose order does not matter costs no run", "[paper]") {
  ScratchDirectory directory;
  expectTraces(anyone(directory, "false"), 66, 66, 3'918);
}

TEST_CASE("Table 9: an enqueue that depends on all others costs as many runs as lifo", "[paper]") {
  ScratchDirectory directory;
  expectTraces(anyone(directory, "true"), 438, 990, 11'344);
}

}  // namespace
}  // namespace mcmini
