#include "gate.hpp"

namespace {

// Who waits for the gate is said not to care who opens it.
struct WrongOpen : Open {
  using Open::Open;
  bool dependentWith(const Transition& other) const override { return other.op() == nameId("gate.shut"); }
};
struct WrongPass : Pass {
  using Pass::Pass;
  bool dependentWith(const Transition& other) const override { return other.op() == nameId("gate.shut"); }
};

}  // namespace

MCMINI_PLUGIN("enables", catalog) {
  catalog.add<WrongOpen>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<WrongPass>("gate.pass");
}
