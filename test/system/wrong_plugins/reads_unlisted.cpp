#include "gate.hpp"

namespace {

// Looks at the neighbour's gate.
struct Wrong : Transition {
  explicit Wrong(const VisibleOp& op) : Transition(op, {objectAt(op.object)}) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState& state) const override {
    return state.get<Gate>(objectAt(24 - visible().object)).open ? 1 : 0;
  }
  std::string describe(const Names& names) const override {
    return "gate.look(" + names.object(objects()[0]) + ")";
  }
};

}  // namespace

MCMINI_PLUGIN("reads_unlisted", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.look");
}
