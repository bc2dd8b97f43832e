#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// As arbitrary; besides, threads may leave a condition variable though nobody has signalled.
class Spurious : public WakeupPolicy {
 public:
  void enqueue(WaitQueue& queue, ThreadId thread) const override {
    queue.waiting.insert(std::ranges::lower_bound(queue.waiting, thread), thread);
  }
  bool orderMatters() const override { return false; }
  bool enqueues() const override { return false; }
  std::uint32_t spuriousWakeups() const override { return 1; }
  std::string describe() const override {
    return "as arbitrary, and each condition variable lets one thread go that nobody has woken";
  }
};

}  // namespace

MCMINI_PLUGIN("spurious", catalog) {
  catalog.addPolicy<Spurious>("spurious");
}
