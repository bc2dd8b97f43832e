#include "core/search/faults.hpp"

#include <utility>

#include "core/search/execution.hpp"

namespace mcmini {

namespace {

/// Enough to ask whether there is something to say; the report asks again, with the user's names.
struct NoNames : Names {
  std::string thread(ThreadId) const override { return {}; }
  std::string object(ObjectId) const override { return {}; }
};

}  // namespace

bool isMisuse(const Transition& transition, const ModelState& state) {
  return offence(transition, state, NoNames{}).has_value();
}

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
