#pragma once

#include <string>
#include <vector>

#include "core/report/symbolizer.hpp"
#include "core/search/finding.hpp"

namespace mcmini {

/// The run of a finding in words, for one who walks through it step by step. A position is what is between
/// two steps: position n comes after n steps.
struct Walkthrough {
  struct Step {
    std::uint32_t thread = 0;
    std::string call;
    std::string place;   ///< "philo.c:18"; empty if not known.
    std::string result;  ///< What it returned, if that needs mention.
    bool stops = false;  ///< Its thread crashes after it, and the others go on.
  };
  /// What a thread does next.
  struct Next {
    std::uint32_t thread = 0;
    std::string call;  ///< Empty if it comes to no other operation.
    std::string place;
    bool ended = false;
    bool can = false;                   ///< Or it has to wait.
    std::vector<std::string> waitsFor;  ///< Threads of which one must act before it can.
    bool operator==(const Next&) const = default;
  };
  struct Object {
    std::string name;
    std::string state;  ///< "held by worker#1"; empty if it is not there any more.
  };
  /// What is different from the position before.
  struct Changes {
    std::vector<Next> next;
    std::vector<Object> objects;
  };

  std::vector<std::string> threads;  ///< Their names.
  std::vector<Step> steps;           ///< Those that are carried out.
  std::vector<Changes> positions;    ///< One more than steps.
};

Walkthrough walkthroughOf(const Finding& finding, const Symbolizer& symbolizer);

}  // namespace mcmini
