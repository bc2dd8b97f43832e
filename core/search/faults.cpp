#include "core/search/faults.hpp"

#include <utility>

namespace mcmini {

UnknownOperation::UnknownOperation(const VisibleOp& announced)
    : std::runtime_error("unknown operation " + std::string(announced.name)), op(announced) {}

ModelFault::ModelFault(const Transition& transition, const std::string& words)
    : std::logic_error(std::string(transition.visible().name) + " " + words), op(transition.op()) {}

Nondeterminism::Nondeterminism(std::size_t atStep, TransitionPtr wanted, TransitionPtr got)
    : std::runtime_error("the program does not repeat itself"),
      step(atStep),
      expected(std::move(wanted)),
      actual(std::move(got)) {}

HiddenCommunication::HiddenCommunication(TransitionPtr wanted)
    : std::runtime_error("threads communicate in a way that no operation shows"),
      expected(std::move(wanted)) {}

}  // namespace mcmini
