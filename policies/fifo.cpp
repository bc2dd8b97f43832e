#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// Who has waited longest goes first.
class Fifo : public WakeupPolicy {
 public:
  void grantOne(WaitQueue& queue) const override {
    if (queue.waiting.empty()) return;
    queue.grants.push_back({queue.waiting.front()});
    queue.waiting.erase(queue.waiting.begin());
  }
  bool overtakes() const override { return false; }
  std::string describe() const override { return "who has waited longest is woken first"; }
};

}  // namespace

MCMINI_PLUGIN("fifo", catalog) {
  catalog.addPolicy<Fifo>("fifo");
}
