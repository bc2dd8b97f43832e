#include "gate.hpp"

namespace {

struct Door : Object<Door> {
  static constexpr std::string_view kKind = "door";
  bool open = false;
  int opened = 0;
  bool operator==(const Door& other) const { return opened == other.opened; }
  std::string describe(const Names&) const override { return "a door"; }
};

struct Swing : OperationOn<Door> {
  using OperationOn::OperationOn;
  Result act(Door& door) const override {
    door.open = !door.open;
    if (door.opened == 0) door.opened = 1;
    return 0;
  }
};

struct Enter : OperationOn<Door> {
  using OperationOn::OperationOn;
  bool ready(const Door& door) const override { return door.open; }
  Result act(Door&) const override { return 0; }
};

}  // namespace

MCMINI_PLUGIN("equal_but_different", catalog) {
  catalog.add<Swing>("gate.swing");
  catalog.add<Enter>("gate.enter");
}
