#include <mcmini/plugin.hpp>

#include "gate.h"

// The model: what the checker knows of a gate, and what each operation needs and does.

namespace {

using namespace mcmini;

struct State : Object<State> {
  static constexpr std::string_view kKind = "gate";
  bool open = false;

  bool operator==(const State&) const = default;
  std::string describe(const Names&) const override { return open ? "open" : "shut"; }
};

struct Open : OperationOn<State> {
  using OperationOn::OperationOn;
  Result act(State& gate) const override {
    gate.open = true;
    return 0;
  }
};

struct Shut : OperationOn<State> {
  using OperationOn::OperationOn;
  Result act(State& gate) const override {
    gate.open = false;
    return 0;
  }
  std::string mistake(const State& gate) const override { return gate.open ? "" : "which is shut already"; }
};

struct Pass : OperationOn<State> {
  using OperationOn::OperationOn;
  bool ready(const State& gate) const override { return gate.open; }
  Result act(State&) const override { return 0; }
  // Without this, the order in which threads pass would be taken to matter: slow, but not wrong.
  bool dependentWith(const Transition& other) const override { return other.op() != op(); }
};

struct IsOpen : OperationOn<State> {
  using OperationOn::OperationOn;
  Result act(State& gate) const override { return gate.open ? 1 : 0; }
  bool failed(Result isOpen) const override { return isOpen == 0; }
  std::string describeResult(Result isOpen) const override { return isOpen != 0 ? "yes" : "no"; }
};

}  // namespace

MCMINI_PLUGIN("gate", catalog) {
  catalog.add<Open>("gate.open");
  catalog.add<Shut>("gate.shut");
  catalog.add<Pass>("gate.pass");
  catalog.add<IsOpen>("gate.is_open");
}

// What the program calls. What an operation returns comes from the model.

void gate_open(gate_t* gate) {
  mcmini::announce("gate.open", gate);
}
void gate_shut(gate_t* gate) {
  mcmini::announce("gate.shut", gate);
}
void gate_pass(gate_t* gate) {
  mcmini::announce("gate.pass", gate);
}
int gate_is_open(gate_t* gate) {
  return static_cast<int>(mcmini::announce("gate.is_open", gate));
}
