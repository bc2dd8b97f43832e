#include "latch.h"

#include <mcmini/plugin.hpp>

namespace {

using namespace mcmini;

struct Latch : Object<Latch> {
  static constexpr std::string_view kKind = "latch";
  std::uint64_t count = 0;

  bool operator==(const Latch&) const = default;
  std::string describe(const Names&) const override {
    return count == 0 ? "open" : std::to_string(count) + " to go";
  }
};

struct Init : OperationOn<Latch> {
  using OperationOn::OperationOn;
  Result act(Latch& latch) const override {
    latch.count = argument(0);
    return 0;
  }
};

struct CountDown : OperationOn<Latch> {
  using OperationOn::OperationOn;
  Result act(Latch& latch) const override {
    if (latch.count > 0) --latch.count;
    return 0;
  }
  // Who counts does not matter.
  bool dependentWith(const Transition& other) const override { return other.op() != op(); }
};

struct Wait : OperationOn<Latch> {
  using OperationOn::OperationOn;
  bool ready(const Latch& latch) const override { return latch.count == 0; }
  Result act(Latch&) const override { return 0; }
  bool dependentWith(const Transition& other) const override { return other.op() != op(); }
};

}  // namespace

MCMINI_PLUGIN("latch", catalog) {
  catalog.add<Init>("latch.init");
  catalog.add<CountDown>("latch.count_down");
  catalog.add<Wait>("latch.wait");
}

void latch_init(latch_t* latch, unsigned count) {
  mcmini::announce("latch.init", latch, count);
}
void latch_count_down(latch_t* latch) {
  mcmini::announce("latch.count_down", latch);
}
void latch_wait(latch_t* latch) {
  mcmini::announce("latch.wait", latch);
}
