#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

struct Generous : WakeupPolicy {
  // A signal is no broadcast.
  void grantOne(WaitQueue& queue) const override {
    for (ThreadId thread : queue.waiting) queue.grants.push_back({thread});
    queue.waiting.clear();
  }
  std::string describe() const override { return "everybody"; }
};

}  // namespace

MCMINI_PLUGIN("generous", catalog) {
  catalog.addPolicy<Generous>("generous");
}
