#pragma once

#include <stdexcept>
#include <string>

#include "core/model/transition.hpp"

namespace mcmini {

/// The target announced an operation that no plugin models.
struct UnknownOperation : std::runtime_error {
  explicit UnknownOperation(const VisibleOp& announced);
  VisibleOp op;
};

/// An operation's model contradicts itself, or the program.
struct ModelFault : std::logic_error {
  ModelFault(const Transition& transition, const std::string& words);
  NameId op;
};

/// On a second run the target did something else than on the first: the fault is the program's.
struct Nondeterminism : std::runtime_error {
  Nondeterminism(std::size_t step, TransitionPtr expected, TransitionPtr actual);
  std::size_t step;
  TransitionPtr expected;  ///< What it did at that step before; null if it had ended.
  TransitionPtr actual;    ///< What it did now; null if it ended, or left the plan altogether.
};

/// In an order that is new, a thread did not do what it did in another one, though nothing that it depends on
/// had changed: threads tell each other things in a way that no operation shows.
struct HiddenCommunication : std::runtime_error {
  explicit HiddenCommunication(TransitionPtr expected);
  TransitionPtr expected;
};

}  // namespace mcmini
