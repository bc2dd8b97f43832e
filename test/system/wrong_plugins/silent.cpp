#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  std::string describe(const Names&) const override { return ""; }
};

}  // namespace

MCMINI_PLUGIN("silent", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
