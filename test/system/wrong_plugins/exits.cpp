#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  Result act(Gate&) const override { std::_Exit(0); }
};

}  // namespace

MCMINI_PLUGIN("exits", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
