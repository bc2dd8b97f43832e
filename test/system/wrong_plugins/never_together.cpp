#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  // True of a gate that is shut, not of one that is open.
  bool coenabledWith(const Transition& other) const override { return other.op() != nameId("gate.open"); }
};

}  // namespace

MCMINI_PLUGIN("never_together", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
