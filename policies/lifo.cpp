#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// Who came last goes first.
class Lifo : public WakeupPolicy {
 public:
  void grantOne(WaitQueue& queue) const override {
    if (queue.waiting.empty()) return;
    queue.grants.push_back({queue.waiting.back()});
    queue.waiting.pop_back();
  }
  std::string describe() const override { return "who came last is woken first"; }
};

}  // namespace

MCMINI_PLUGIN("lifo", catalog) {
  catalog.addPolicy<Lifo>("lifo");
}
