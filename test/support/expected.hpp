#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/support/checker.hpp"

namespace mcmini {

/// What a program has, whatever compiled it.
struct Expected {
  std::string verdict = "ok";
  int bugs = 0;
  std::uint64_t traces = 1;
  std::string complete = "yes";
  std::uint64_t blocked = 0;  ///< Given up, where the optimal search cannot follow all that it plans.
};
inline Expected deadlockIn(std::uint64_t traces) {
  return {"deadlock", 1, traces};
}

/// The outcome has exactly these counts, and the exit code says the same.
void compare(const Outcome& outcome, const Expected& expected);

/// The command begins with a program's name; all its variants are as expected. Returns the last outcome.
Outcome expect(const std::vector<std::string>& command, const Expected& expected,
               const std::vector<std::string>& options = {}, const Settings& settings = {});

/// Another search finds the same, in at least as many runs.
void expectOf(const std::string& search, const std::vector<std::string>& command, const Expected& expected);

/// Both of the others do.
void expectOfOthers(const std::vector<std::string>& command, const Expected& expected);

/// All variants of the program, told to do something of that kind, are caught with this sentence, and nothing
/// else.
void expectMisuse(const std::string& name, const std::string& kind, const std::string& sentence,
                  std::uint64_t traces = 1);

}  // namespace mcmini
