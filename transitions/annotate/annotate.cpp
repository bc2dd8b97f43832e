#include "plugins/plugin.hpp"

namespace {

using namespace mcmini;

constexpr std::int64_t kMostChoices = 65536;

/// mc_choose(n): the first argument is n.
class Choose : public Transition {
 public:
  explicit Choose(const VisibleOp& op) : Transition(op, {}) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return visible().alternative; }
  std::uint32_t choices() const override { return isWrong() ? 1 : static_cast<std::uint32_t>(count()); }
  bool failed(Result) const override { return false; }

  std::optional<std::string> misuse(const ModelState&, const Names& names) const override {
    if (!isWrong()) return std::nullopt;
    return names.thread(thread()) + " calls " + describe(names) + ": " +
           (count() < 1 ? "there is nothing to choose from" : "more than 65536 values cannot be tried");
  }

  std::string describe(const Names&) const override { return "mc_choose(" + std::to_string(count()) + ")"; }
  std::string describeResult(Result result) const override { return std::to_string(result); }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(visible().args[0]); }
  bool isWrong() const { return count() < 1 || count() > kMostChoices; }
};

/// mc_assume of something that does not hold.
class Assume : public Transition {
 public:
  explicit Assume(const VisibleOp& op) : Transition(op, {}) {}
  bool enabled(const ModelState&) const override { return false; }
  Result apply(ModelState&) const override { return 0; }
  bool givesUp() const override { return true; }
  std::string describe(const Names&) const override { return "mc_assume(false)"; }
};

/// All sections meet here. No variable has this address.
constexpr ObjectId kSections{1};

/// mc_atomic_begin() and mc_atomic_end().
class Border : public Transition {
 public:
  explicit Border(const VisibleOp& op) : Transition(op, {kSections}) {}
  bool enabled(const ModelState&) const override { return true; }
  bool bordersSection() const override { return true; }
};

class Begin : public Border {
 public:
  using Border::Border;
  Result apply(ModelState& state) const override {
    state.enterSection(thread());
    return 0;
  }
  std::string describe(const Names&) const override { return "mc_atomic_begin()"; }
};

class End : public Border {
 public:
  using Border::Border;
  Result apply(ModelState& state) const override {
    state.leaveSection();
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const override {
    if (state.alone() == thread()) return std::nullopt;
    return names.thread(thread()) + " calls mc_atomic_end() without mc_atomic_begin()";
  }
  std::string describe(const Names&) const override { return "mc_atomic_end()"; }
};

}  // namespace

MCMINI_PLUGIN("annotate", catalog) {
  catalog.add<Choose>("annotate.choose");
  catalog.add<Assume>("annotate.assume");
  catalog.add<Begin>("annotate.begin");
  catalog.add<End>("annotate.end");

  Catalog::Calls calls = callsOf({"annotate.begin", "annotate.end", "annotate.assume"}, 0);
  calls.push_back({"annotate.choose", 0, {2}});
  calls.push_back({"mutex.lock", 8});
  calls.push_back({"mutex.unlock", 8});
  catalog.addTrial(calls);
}
