#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

struct Overtakes : WakeupPolicy {
  void grantOne(WaitQueue& queue) const override {
    if (queue.waiting.empty()) return;
    queue.grants.push_back({queue.waiting.back()});
    queue.waiting.pop_back();
  }
  // Who comes last goes first.
  bool overtakes() const override { return false; }
  std::string describe() const override { return "the last one"; }
};

}  // namespace

MCMINI_PLUGIN("overtakes", catalog) {
  catalog.addPolicy<Overtakes>("overtakes");
}
