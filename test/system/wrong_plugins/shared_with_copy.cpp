#include "gate.hpp"

namespace {

struct Door : Object<Door> {
  static constexpr std::string_view kKind = "door";
  std::shared_ptr<int> knocks = std::make_shared<int>(0);
  bool operator==(const Door& other) const { return *knocks == *other.knocks; }
  std::string describe(const Names&) const override { return std::to_string(*knocks) + " knocks"; }
};

struct Knock : OperationOn<Door> {
  using OperationOn::OperationOn;
  Result act(Door& door) const override {
    *door.knocks = (*door.knocks + 1) % 3;
    return 0;
  }
};

}  // namespace

MCMINI_PLUGIN("shared_with_copy", catalog) {
  catalog.add<Knock>("gate.knock");
}
