#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

/// All ways to end the process meet here: which thread does it first decides the status.
constexpr ObjectId kProcess{0};

class Exit : public Transition {
 public:
  explicit Exit(const VisibleOp& op) : Transition(op, {kProcess}) {}

  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState& state) const override {
    state.end(thread());
    return 0;
  }
  bool endsProcess() const override { return true; }
  std::string describe(const Names&) const override {
    static constexpr const char* kCalls[] = {"returns from main: ", "exit", "_exit", "quick_exit"};
    std::uint64_t how = visible().args[1] & 3;
    std::string status = std::to_string(static_cast<std::int32_t>(visible().args[0]));
    return how == 0 ? kCalls[0] + status : std::string(kCalls[how]) + "(" + status + ")";
  }
};

/// The handlers of the process's end are run by the thread that comes first; others just end it.
class Handlers : public Transition {
 public:
  explicit Handlers(const VisibleOp& op) : Transition(op, {kProcess}) {}

  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return 0; }
  std::string describe(const Names&) const override { return "begins to end the process"; }
};

}  // namespace

MCMINI_PLUGIN("process", catalog) {
  catalog.add<Exit>("process.exit");
  catalog.add<Handlers>("process.handlers");
}
