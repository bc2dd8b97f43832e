#include "gate.hpp"

namespace {

int asked = 0;

struct Wrong : Pass {
  using Pass::Pass;
  bool dependentWith(const Transition&) const override { return ++asked % 2 == 0; }
};

}  // namespace

MCMINI_PLUGIN("cannot_decide", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
