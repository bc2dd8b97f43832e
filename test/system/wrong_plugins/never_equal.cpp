#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

struct Door : Object<Door> {
  static constexpr std::string_view kKind = "door";
  bool open = false;
  // Not even itself.
  bool operator==(const Door&) const { return false; }
  std::string describe(const Names&) const override { return open ? "open" : "shut"; }
};

struct Open : OperationOn<Door> {
  using OperationOn::OperationOn;
  Result act(Door& door) const override {
    door.open = true;
    return 0;
  }
};

}  // namespace

MCMINI_PLUGIN("never_equal", catalog) {
  catalog.add<Open>("door.open");
}
