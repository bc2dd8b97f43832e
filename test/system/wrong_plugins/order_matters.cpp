#include "gate.hpp"

namespace {

// To open and to shut are both said to depend on nothing.
struct WrongOpen : Open {
  using Open::Open;
  bool dependentWith(const Transition& other) const override { return other.op() == nameId("gate.pass"); }
};
struct WrongShut : Shut {
  using Shut::Shut;
  bool dependentWith(const Transition& other) const override { return other.op() == nameId("gate.pass"); }
};

}  // namespace

MCMINI_PLUGIN("order_matters", catalog) {
  catalog.add<WrongOpen>("gate.open");
  catalog.add<WrongShut>("gate.shut");
  catalog.add<Pass>("gate.pass");
}
