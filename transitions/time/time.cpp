#include <algorithm>

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// Gives others the chance to run, which they have anyway: it touches nothing, and always succeeds.
class Pause : public Transition {
 public:
  explicit Pause(const VisibleOp& op) : Transition(op, {}) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return 0; }
};

/// Arguments: which call, and for how many seconds and nanoseconds.
class Sleep : public Pause {
 public:
  explicit Sleep(const VisibleOp& op) : Pause(op) {}
  std::string describe(const Names&) const override {
    static constexpr const char* kCalls[] = {"sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep"};
    std::uint64_t call = std::min<std::uint64_t>(visible().args[0], std::size(kCalls) - 1);
    return std::string(kCalls[call]) + "(" + (call == 1 ? microseconds() : seconds()) +
           (call > 1 ? " s)" : ")");
  }

 private:
  std::string microseconds() const {
    return std::to_string(visible().args[1] * 1'000'000 + visible().args[2] / 1'000);
  }
  std::string seconds() const {
    std::string text = std::to_string(visible().args[1]);
    if (visible().args[2] == 0) return text;
    std::string fraction = std::to_string(1'000'000'000 + visible().args[2]).substr(1);
    return text + "." + fraction.substr(0, fraction.find_last_not_of('0') + 1);
  }
};

class Yield : public Pause {
 public:
  explicit Yield(const VisibleOp& op) : Pause(op) {}
  std::string describe(const Names&) const override {
    static constexpr const char* kCalls[] = {"sched_yield()", "pthread_yield()", "thrd_yield()",
                                             "mc_yield()"};
    return kCalls[std::min<std::uint64_t>(visible().args[0], std::size(kCalls) - 1)];
  }
};

/// A thread that reached no operation for a while was interrupted. Nobody sees what it does meanwhile.
class Slice : public Pause {
 public:
  explicit Slice(const VisibleOp& op) : Pause(op) {}
  bool involuntary() const override { return true; }
  std::string describe(const Names&) const override { return "works on"; }
};

}  // namespace

MCMINI_PLUGIN("time", catalog) {
  catalog.add<Sleep>("time.sleep");
  catalog.add<Yield>("time.yield");
  catalog.add<Slice>("time.slice");

  Catalog::Calls calls = callsOf({"time.sleep", "time.yield", "time.slice"}, 0);
  calls.push_back({"mutex.lock", 8});
  calls.push_back({"mutex.unlock", 8});
  catalog.addTrial(calls);
}
