#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// Any of the threads that wait when a signal comes may be the one that it wakes; nobody who comes later.
class Arbitrary : public WakeupPolicy {
 public:
  void enqueue(WaitQueue& queue, ThreadId thread) const override {
    queue.waiting.insert(std::ranges::lower_bound(queue.waiting, thread), thread);
  }
  bool orderMatters() const override { return false; }
  bool enqueues() const override { return false; }
  std::string describe() const override { return "any waiting thread may be woken (default)"; }
};

}  // namespace

MCMINI_PLUGIN("arbitrary", catalog) {
  catalog.addPolicy<Arbitrary>("arbitrary");
}
