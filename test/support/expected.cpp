#include "test/support/expected.hpp"

#include <catch2/catch.hpp>

namespace mcmini {

namespace {

constexpr int kFoundBugs = 1;
constexpr int kIncomplete = 3;

/// The options, then the command with the program that it names.
std::vector<std::string> wordsFor(const std::string& variant, const std::vector<std::string>& command,
                                  const std::vector<std::string>& options) {
  std::vector<std::string> words = options;
  words.push_back(program(command.front(), variant));
  words.insert(words.end(), command.begin() + 1, command.end());
  return words;
}

}  // namespace

void compare(const Outcome& outcome, const Expected& expected) {
  INFO(outcome.everything());
  CHECK(outcome["verdict"] == expected.verdict);
  CHECK(outcome["bugs"] == std::to_string(expected.bugs));
  CHECK(outcome["traces"] == std::to_string(expected.traces));
  CHECK(outcome["blocked"] == std::to_string(expected.blocked));
  CHECK(outcome["complete"] == expected.complete);
  CHECK(outcome.exitCode == (expected.bugs > 0 ? kFoundBugs : expected.complete == "no" ? kIncomplete : 0));
}

Outcome expect(const std::vector<std::string>& command, const Expected& expected,
               const std::vector<std::string>& options, const Settings& settings) {
  Outcome last;
  for (const std::string& variant : variants(command.front())) {
    auto words = wordsFor(variant, command, options);
    last = check(words, settings);
    INFO(Catch::Detail::stringify(words));
    compare(last, expected);
  }
  return last;
}

void expectOf(const std::string& search, const std::vector<std::string>& command, const Expected& expected) {
  Outcome outcome = check(wordsFor("gcc-O0", command, {"--search", search}));
  INFO(search << "\n" << outcome.everything());
  CHECK(outcome["verdict"] == expected.verdict);
  CHECK(outcome["bugs"] == std::to_string(expected.bugs));
  CHECK(outcome["complete"] == expected.complete);
  CHECK(outcome.count("traces") >= expected.traces);
}

void expectOfOthers(const std::vector<std::string>& command, const Expected& expected) {
  for (const std::string search : {"dpor", "naive"}) expectOf(search, command, expected);
}

void expectMisuse(const std::string& name, const std::string& kind, const std::string& sentence,
                  std::uint64_t traces) {
  for (const std::string& variant : variants(name)) {
    Outcome outcome = check({program(name, variant), kind});
    INFO(variant << " " << name << " " << kind);
    compare(outcome, {"misuse", 1, traces});
    CHECK_THAT(outcome.out, Catch::Contains("MISUSE    " + sentence));
  }
}

}  // namespace mcmini
