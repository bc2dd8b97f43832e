#pragma once

// A gate that is right; each plugin of this folder gets one thing wrong.

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

struct Gate : Object<Gate> {
  static constexpr std::string_view kKind = "gate";
  bool open = false;
  bool operator==(const Gate&) const = default;
  std::string describe(const Names&) const override { return open ? "open" : "shut"; }
};

struct Open : OperationOn<Gate> {
  using OperationOn::OperationOn;
  Result act(Gate& gate) const override {
    gate.open = true;
    return 0;
  }
};

struct Shut : OperationOn<Gate> {
  using OperationOn::OperationOn;
  Result act(Gate& gate) const override {
    gate.open = false;
    return 0;
  }
};

struct Pass : OperationOn<Gate> {
  using OperationOn::OperationOn;
  bool ready(const Gate& gate) const override { return gate.open; }
  Result act(Gate&) const override { return 0; }
};

}  // namespace
