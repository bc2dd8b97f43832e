#include "gate.hpp"

namespace {

int asked = 0;

struct Wrong : Pass {
  using Pass::Pass;
  bool ready(const Gate&) const override { return ++asked % 3 != 0; }
};

}  // namespace

MCMINI_PLUGIN("moody", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
