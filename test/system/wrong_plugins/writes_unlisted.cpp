#include "gate.hpp"

namespace {

// Opens the neighbour's gate, too.
struct Wrong : Transition {
  explicit Wrong(const VisibleOp& op) : Transition(op, {objectAt(op.object)}) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState& state) const override {
    state.edit<Gate>(objectAt(24 - visible().object)).open = true;
    return 0;
  }
  std::string describe(const Names& names) const override {
    return "gate.both(" + names.object(objects()[0]) + ")";
  }
};

}  // namespace

MCMINI_PLUGIN("writes_unlisted", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.both");
}
