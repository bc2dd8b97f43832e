#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  bool ready(const Gate& gate) const override {
    for (volatile bool open = gate.open; open;) continue;
    return false;
  }
};

}  // namespace

MCMINI_PLUGIN("endless", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
