#include "gate.hpp"

namespace {

int passed = 0;

struct Wrong : Pass {
  using Pass::Pass;
  Result act(Gate&) const override { return ++passed; }
};

}  // namespace

MCMINI_PLUGIN("never_the_same", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
