#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  Result act(Gate&) const override { return std::vector<int>{1, 2}.at(index(thread()) + 1); }
};

}  // namespace

MCMINI_PLUGIN("throws", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
