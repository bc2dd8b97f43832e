// The paper's policy "arbitrary", with a step for joining the queue. ORDER_MATTERS: whether that step depends
// on those of others.

#include "plugins/plugin.hpp"

namespace {

struct Anyone : mcmini::WakeupPolicy {
  bool orderMatters() const override { return ORDER_MATTERS; }
  std::string describe() const override { return "anybody may be next"; }
};

}  // namespace

MCMINI_PLUGIN("anyone", catalog) {
  catalog.addPolicy<Anyone>("anyone");
}
