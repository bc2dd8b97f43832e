#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/model/catalog.hpp"
#include "plugins/method.hpp"
#include "plugins/questions.hpp"

namespace mcmini {

/// Something that a plugin claims, and a state that refutes it.
struct BrokenLaw {
  std::string law;                    ///< A sentence that names the operations.
  std::vector<std::string> way;       ///< The shortest way to the state, a step each.
  std::vector<std::string> evidence;  ///< What is seen there, a line each.
  std::vector<Method> lookAt;
};

struct LawReport {
  std::vector<BrokenLaw> broken;  ///< One for each claim and pair of operations.
  std::vector<std::string> tips;  ///< What is not wrong, but slow or unknown; a sentence each.
  std::size_t operations = 0;
  std::size_t states = 0;
  bool complete = true;  ///< There are no more.
};

struct LawLimits {
  std::size_t states = 250;            ///< Of one trial with so many threads under one wakeup policy.
  std::function<void()> onState = {};  ///< Called before each state is looked at.
};

/// Lets 2 and then 3 threads make the calls of the plugin's trials in every order, under every wakeup policy
/// that the catalog has, and holds what the operations do against what they say. `asked` tells at any time
/// what a plugin is being asked.
LawReport checkLaws(const Catalog& catalog, const std::string& plugin, Asked& asked,
                    const LawLimits& limits = {});

}  // namespace mcmini
