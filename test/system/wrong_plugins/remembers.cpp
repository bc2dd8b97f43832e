#include "gate.hpp"

namespace {

struct Wrong : OperationOn<Gate> {
  Wrong(const VisibleOp& op, const ModelState& state) : OperationOn(op), open_(in(state).open) {}
  bool ready(const Gate&) const override { return open_; }
  Result act(Gate&) const override { return 0; }

 private:
  bool open_;  // until somebody shuts it
};

}  // namespace

MCMINI_PLUGIN("remembers", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Wrong>("gate.pass");
}
