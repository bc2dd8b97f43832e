#include "gate.hpp"

namespace {

struct Door : Object<Door> {
  static constexpr std::string_view kKind = "door";
  int knocks = 0;
  Door() = default;
  Door(const Door&) : Object() {}
  bool operator==(const Door& other) const { return knocks == other.knocks; }
  std::string describe(const Names&) const override { return std::to_string(knocks) + " knocks"; }
};

struct Knock : OperationOn<Door> {
  using OperationOn::OperationOn;
  Result act(Door& door) const override {
    ++door.knocks;
    return 0;
  }
};

}  // namespace

MCMINI_PLUGIN("copy_differs", catalog) {
  catalog.add<Knock>("gate.knock");
}
