#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mcmini {

/// What a program has, whatever compiled it.
struct Expected {
  std::string verdict = "ok";
  int bugs = 0;
  std::uint64_t traces = 1;
};
inline Expected deadlockIn(std::uint64_t traces) {
  return {"deadlock", 1, traces};
}

/// The command begins with a program's name; all its variants are complete, with exactly these counts.
void expect(const std::vector<std::string>& command, const Expected& expected);

/// The other searches find the same, in at least as many runs.
void expectOfOthers(const std::vector<std::string>& command, const Expected& expected);

/// The program, told to do something of that kind, is caught with this sentence, and nothing else.
void expectMisuse(const std::string& name, const std::string& kind, const std::string& sentence);

}  // namespace mcmini
