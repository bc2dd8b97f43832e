#include "gate.hpp"

namespace {

struct Wrong : Pass {
  using Pass::Pass;
  std::vector<ThreadId> blockedBy(const ModelState&) const override { return {kMainThread}; }
};

}  // namespace

MCMINI_PLUGIN("blames_another", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
