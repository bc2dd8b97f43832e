#pragma once

#include <set>
#include <string>

#include "core/model/transition.hpp"

namespace mcmini {

/// Could the thread do it now without breaking a rule?
bool isPossible(const Transition& transition, const ModelState& state);

/// Adds what contradicts the answers of two threads' operations in this state, a sentence each: they are said
/// to be independent, but their order matters; they are said never to be enabled together, but they are.
void comparePromises(const ModelState& state, const Transition& a, const Transition& b,
                     std::set<std::string>& broken);

}  // namespace mcmini
