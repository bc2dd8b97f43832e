#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  bool ready(const Gate& gate) const override {
    bool open = gate.open;
    const_cast<Gate&>(gate).open = false;
    return open;
  }
};

}  // namespace

MCMINI_PLUGIN("changes_when_asked", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
