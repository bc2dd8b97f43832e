#include "gate.hpp"

namespace {

struct Door : Object<Door> {
  static constexpr std::string_view kKind = "door";
  bool open = false;
  int asked = 0;
  bool operator==(const Door&) const = default;
  std::string describe(const Names&) const override { return std::to_string(asked) + " questions"; }
};

struct Swing : OperationOn<Door> {
  using OperationOn::OperationOn;
  Result act(Door& door) const override {
    door.open = !door.open;
    return 0;
  }
};

struct Wrong : OperationOn<Door> {
  using OperationOn::OperationOn;
  bool ready(const Door& door) const override {
    ++const_cast<Door&>(door).asked;
    return door.open;
  }
  Result act(Door&) const override { return 0; }
};

}  // namespace

MCMINI_PLUGIN("counts_questions", catalog) {
  catalog.add<Swing>("gate.swing");
  catalog.add<Wrong>("gate.pass");
}
