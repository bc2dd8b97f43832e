#pragma once

#include <string>
#include <vector>

#include "core/report/finding_facts.hpp"

namespace mcmini {

/// One of the accesses of a race, in the user's words.
struct AccessFact {
  ThreadId thread{};
  std::string name;  ///< Of the thread.
  std::string verb;  ///< "writes", "reads", "frees", "writes (atomic)".
  std::uint32_t size = 0;
  std::string variable;
  Location place;
  std::vector<Location> stack;  ///< Innermost first.
  std::vector<Holding> holds;
  std::size_t step = 0;  ///< After which it is made; 0: before the first one.
};

/// "counter", "heap(list.c:30)", "a local variable of main".
std::string nameOfRacy(const Finding& finding, const Names& names);

/// Both accesses, in the order of the run; empty if the finding is no race.
std::vector<AccessFact> accessesOf(const FindingFacts& facts, const Symbolizer& symbolizer);

/// Why nothing orders the accesses: what each of the threads holds, and that neither waits for the other.
std::string whyUnordered(const std::vector<AccessFact>& accesses);

/// What to do about it.
std::string adviceOnRace(const Finding& finding, const std::string& variable);

}  // namespace mcmini
