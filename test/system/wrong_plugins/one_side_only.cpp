#include "gate.hpp"

namespace {

// The other operation knows better, but a no from one side is a no.
struct WrongShut : Shut {
  using Shut::Shut;
  bool coenabledWith(const Transition& other) const override { return other.op() != op(); }
};

}  // namespace

MCMINI_PLUGIN("one_side_only", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<WrongShut>("gate.shut");
  catalog.add<Pass>("gate.pass");
}
