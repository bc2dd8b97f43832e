#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/search/event.hpp"
#include "core/search/target.hpp"

namespace mcmini {

/// One of two accesses that nothing orders.
struct RacyAccess {
  Access access;
  ThreadId thread{};
  std::size_t event = 0;  ///< After which it is made; the number of events: before all of them.
};

/// Two accesses of different threads to the same bytes, not both of them reads, that nothing orders.
struct Race {
  RacyAccess first;  ///< In the order of the run.
  RacyAccess second;
  MemoryRange bytes;                           ///< That both of them touch.
  std::pair<std::string, std::string> places;  ///< Of both, in alphabetical order: what tells races apart.
};

/// What the user says about races, and how places in the code are told apart.
struct RaceRules {
  std::function<std::string(CodeAddress)> place = [](CodeAddress site) { return std::to_string(site); };
  /// The line of the program from which an access is made, through functions of a library for instance; empty
  /// if it is not known.
  std::function<std::string(const Stack&)> line = [](const Stack&) { return std::string(); };
  std::function<bool(const Race&)> isMeant = [](const Race&) { return false; };
  bool promote = true;  ///< Do racy locations become operations, so that what comes of races is found?
};

struct Races {
  std::vector<Race> found;         ///< One for each pair of places.
  std::vector<MemoryRange> bytes;  ///< All that are racy, sorted, those side by side as one.
  bool isPartial = false;          ///< The run accesses more memory than is looked at.
  bool anyMeant = false;           ///< There are races that are meant to be.
};

/// The races of a run, in the manner of FastTrack: what is known of the earlier accesses to a word is as
/// little as needed to find a race if there is one. See Flanagan and Freund, PLDI 2009.
Races dataRaces(const std::vector<Event>& events, const AccessLog& log, const RaceRules& rules);

/// Puts ranges that touch into one.
std::vector<MemoryRange> merged(std::vector<MemoryRange> ranges);

}  // namespace mcmini
