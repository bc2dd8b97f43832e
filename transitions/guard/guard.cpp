// Static variables within functions, which the first thread that gets there initializes.

#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kAcquire = nameId("guard.acquire");
constexpr NameId kRelease = nameId("guard.release");

struct Guard : Object<Guard> {
  static constexpr std::string_view kKind = "guard";
  std::optional<ThreadId> runner;
  bool done = false;

  bool operator==(const Guard&) const = default;
  std::vector<ThreadId> holders() const override {
    return runner ? std::vector{*runner} : std::vector<ThreadId>{};
  }
  std::string describe(const Names& names) const override {
    return runner ? "being initialized by " + names.thread(*runner)
           : done ? "initialized"
                  : "not initialized";
  }
};

class GuardTransition : public Transition {
 public:
  explicit GuardTransition(const VisibleOp& op) : Transition(op, {objectAt(op.object)}) {}

 protected:
  ObjectId id() const { return objects()[0]; }
  const Guard& guard(const ModelState& state) const { return state.get<Guard>(id()); }
};

/// Waits while another thread initializes the variable. Returns 1 if this one is to do it. Those who find it
/// done do so in any order.
class Acquire : public GuardTransition {
 public:
  Acquire(const VisibleOp& op, const ModelState& state)
      : GuardTransition(op), findsItDone_(guard(state).done) {}
  bool enabled(const ModelState& state) const override { return !guard(state).runner; }
  Result apply(ModelState& state) const override {
    if (guard(state).done) return 0;
    state.edit<Guard>(id()).runner = thread();
    return 1;
  }
  bool failed(Result) const override { return false; }
  bool isConditional() const override { return true; }
  std::unique_ptr<Transition> asIn(const ModelState& state) const override {
    if (guard(state).done == findsItDone_) return nullptr;
    return std::make_unique<Acquire>(visible(), state);
  }
  bool dependentWith(const Transition& other) const override {
    const auto* acquire = other.op() == kAcquire ? static_cast<const Acquire*>(&other) : nullptr;
    return acquire == nullptr || !findsItDone_ || !acquire->findsItDone_;
  }
  bool coenabledWith(const Transition& other) const override { return other.op() != kRelease; }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return guard(state).holders(); }
  std::string describe(const Names& names) const override { return "comes to " + names.object(id()); }
  std::string describeResult(Result result) const override { return result == 0 ? "" : "initializes it"; }

 private:
  bool findsItDone_;
};

/// The argument says whether it is initialized; if not, the next thread tries.
class Release : public GuardTransition {
 public:
  using GuardTransition::GuardTransition;
  bool enabled(const ModelState& state) const override { return guard(state).runner == thread(); }
  Result apply(ModelState& state) const override {
    auto& released = state.edit<Guard>(id());
    released.runner.reset();
    released.done = completes();
    return 0;
  }
  bool coenabledWith(const Transition& other) const override {
    return other.op() != kAcquire && other.op() != kRelease;
  }
  std::string describe(const Names& names) const override {
    return (completes() ? "has initialized " : "fails to initialize ") + names.object(id());
  }

 private:
  bool completes() const { return visible().args[0] != 0; }
};

}  // namespace

MCMINI_PLUGIN("guard", catalog) {
  catalog.add<Acquire>("guard.acquire");
  catalog.add<Release>("guard.release");
  Catalog::Calls calls;
  for (std::uint64_t guard : {8U, 16U}) {
    calls.push_back({"guard.acquire", guard});
    calls.push_back({"guard.release", guard});
    calls.push_back({"guard.release", guard, {1}});
  }
  catalog.addTrial(calls);
}
