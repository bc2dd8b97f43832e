#include "test/support/expected.hpp"

#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

namespace mcmini {

void expect(const std::vector<std::string>& command, const Expected& expected) {
  for (const std::string& variant : variants()) {
    std::vector<std::string> words = command;
    words.front() = program(command.front(), variant);
    Outcome outcome = check(words);
    INFO(variant << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == expected.verdict);
    CHECK(outcome["bugs"] == std::to_string(expected.bugs));
    CHECK(outcome["traces"] == std::to_string(expected.traces));
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
}

void expectOfOthers(const std::vector<std::string>& command, const Expected& expected) {
  for (const std::string search : {"dpor", "naive"}) {
    std::vector<std::string> words = {"--search", search};
    words.insert(words.end(), command.begin(), command.end());
    words[2] = program(command.front());
    Outcome outcome = check(words);
    INFO(search << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == expected.verdict);
    CHECK(outcome["complete"] == "yes");
    CHECK(outcome.count("traces") >= expected.traces);
  }
}

void expectMisuse(const std::string& name, const std::string& kind, const std::string& sentence) {
  Outcome outcome = check({program(name), kind});
  INFO(outcome.everything());
  CHECK(outcome["verdict"] == "misuse");
  CHECK(outcome["bugs"] == "1");
  CHECK_THAT(outcome.out, Catch::Contains("MISUSE    " + sentence));
}

}  // namespace mcmini
