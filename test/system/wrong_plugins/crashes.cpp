#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  Result act(Gate& gate) const override { return *reinterpret_cast<volatile int*>(gate.open ? 16 : 32); }
};

}  // namespace

MCMINI_PLUGIN("crashes", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
