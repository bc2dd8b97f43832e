#pragma once

#include <optional>
#include <set>

#include "plugins/questions.hpp"

namespace mcmini {

/// What becomes of two operations, one after the other.
struct Order {
  ModelState after;
  Result first = 0;
  std::optional<Result> second;  ///< Nothing: it is not possible after the first.
};

/// Two threads' operations in one state, of which one at least is possible, in both orders.
struct TwoOrders {
  std::optional<Order> ab;  ///< Nothing: a cannot be the first.
  std::optional<Order> ba;

  TwoOrders(const Questions& ask, const ModelState& state, const Transition& a, const Transition& b);

  bool bothPossible() const { return ab && ba; }
  /// Does the order matter: to the state after both, to what either returns, or to whether either is
  /// possible?
  bool matters() const;
};

/// Adds what contradicts the answers of two threads' operations in this state, a sentence each: they are said
/// to be independent, but their order matters; they are said never to be enabled together, but they are.
void comparePromises(const ModelState& state, const Transition& a, const Transition& b,
                     std::set<std::string>& broken);

}  // namespace mcmini
