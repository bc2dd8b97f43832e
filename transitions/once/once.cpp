#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr NameId kBegin = nameId("once.begin");
constexpr NameId kAgain = nameId("once.again");
constexpr NameId kEnd = nameId("once.end");

struct Once : Object<Once> {
  static constexpr std::string_view kKind = "once";
  std::optional<ThreadId> runner;
  bool done = false;

  bool operator==(const Once&) const = default;
  std::vector<ThreadId> holders() const override {
    return runner ? std::vector{*runner} : std::vector<ThreadId>{};
  }
  std::string describe(const Names& names) const override {
    return runner ? "being done by " + names.thread(*runner) : done ? "done" : "not done";
  }
};

class OnceTransition : public Transition {
 public:
  explicit OnceTransition(const VisibleOp& op) : Transition(op, {objectAt(op.object)}) {}

 protected:
  ObjectId id() const { return objects()[0]; }
  const Once& once(const ModelState& state) const { return state.get<Once>(id()); }
  std::string call(const Names& names) const {
    return calledAs("pthread_once") + "(" + names.object(id()) + ")";
  }
};

/// A call waits while another one runs the routine. Returns 1 if this thread is to run it, 0 if that has been
/// done. The argument says that the memory is neither PTHREAD_ONCE_INIT nor what becomes of it.
class Begin : public OnceTransition {
 public:
  using OnceTransition::OnceTransition;
  bool enabled(const ModelState& state) const override { return !once(state).runner; }
  Result apply(ModelState& state) const override {
    if (once(state).done) return 0;
    state.edit<Once>(id()).runner = thread();
    return 1;
  }
  bool failed(Result) const override { return false; }
  std::optional<std::string> misuse(const ModelState&, const Names& names) const override {
    if (visible().args[0] == 0) return std::nullopt;
    return names.thread(thread()) + " calls " + calledAs("pthread_once") + " on " + names.object(id()) +
           ", which was never initialized with PTHREAD_ONCE_INIT";
  }
  bool coenabledWith(const Transition& other) const override { return other.op() != kEnd; }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return once(state).holders(); }
  std::string describe(const Names& names) const override { return call(names); }
  std::string describeResult(Result result) const override { return result == 0 ? "" : "runs it"; }
};

/// The program has written PTHREAD_ONCE_INIT into the memory of one that was done: it is a new one.
class Again : public OnceTransition {
 public:
  using OnceTransition::OnceTransition;
  bool enabled(const ModelState& state) const override { return !once(state).runner; }
  Result apply(ModelState& state) const override {
    state.edit<Once>(id()) = Once{};
    state.edit<Once>(id()).runner = thread();
    return 0;
  }
  bool coenabledWith(const Transition& other) const override { return other.op() != kEnd; }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return once(state).holders(); }
  std::string describe(const Names& names) const override { return call(names) + ", initialized anew"; }
};

/// The argument says whether the routine came to its end; if not, the next caller runs it.
class End : public OnceTransition {
 public:
  using OnceTransition::OnceTransition;
  bool enabled(const ModelState& state) const override { return once(state).runner == thread(); }
  Result apply(ModelState& state) const override {
    auto& ended = state.edit<Once>(id());
    ended.runner.reset();
    ended.done = completes();
    return 0;
  }
  bool coenabledWith(const Transition& other) const override {
    return other.op() != kBegin && other.op() != kAgain && other.op() != kEnd;
  }
  std::string describe(const Names& names) const override {
    return (completes() ? "has done " : "leaves undone ") + call(names);
  }

 private:
  bool completes() const { return visible().args[0] != 0; }
};

}  // namespace

MCMINI_PLUGIN("once", catalog) {
  catalog.add<Begin>("once.begin");
  catalog.add<Again>("once.again");
  catalog.add<End>("once.end");

  Catalog::Calls calls;
  for (std::uint64_t control : {8U, 16U}) {
    for (const char* name : {"once.begin", "once.again", "once.end"}) calls.push_back({name, control});
    calls.push_back({"once.end", control, {1}});
  }
  catalog.addTrial(calls);
}
