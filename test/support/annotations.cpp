#include "test/support/annotations.hpp"

namespace mcmini {

namespace {

class Annotation : public Transition {
 public:
  explicit Annotation(const VisibleOp& op) : Transition(op, {}) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return 0; }
  std::string describe(const Names&) const override { return std::string(visible().name); }
};

class Choose : public Annotation {
 public:
  using Annotation::Annotation;
  Result apply(ModelState&) const override { return visible().alternative; }
  bool failed(Result) const override { return false; }
  std::uint32_t choices() const override { return static_cast<std::uint32_t>(visible().args[0]); }
};

class Assume : public Annotation {
 public:
  using Annotation::Annotation;
  bool enabled(const ModelState&) const override { return false; }
  bool givesUp() const override { return true; }
};

class Begin : public Annotation {
 public:
  using Annotation::Annotation;
  bool bordersSection() const override { return true; }
  Result apply(ModelState& state) const override {
    state.enterSection(thread());
    return 0;
  }
};

class End : public Annotation {
 public:
  using Annotation::Annotation;
  bool bordersSection() const override { return true; }
  Result apply(ModelState& state) const override {
    state.leaveSection();
    return 0;
  }
  std::optional<std::string> misuse(const ModelState& state, const Names&) const override {
    if (state.alone() == thread()) return std::nullopt;
    return "leaves a section that it is not in";
  }
};

Instruction operation(std::string_view name, std::uint64_t argument = 0) {
  Instruction instruction;
  instruction.name = name;
  instruction.argument = argument;
  return instruction;
}

}  // namespace

void addAnnotations(Catalog& catalog) {
  catalog.add<Choose>("annotate.choose");
  catalog.add<Assume>("annotate.assume");
  catalog.add<Begin>("annotate.begin");
  catalog.add<End>("annotate.end");
}

Script choose(std::uint64_t count) {
  return operation("annotate.choose", count);
}
Script assumeFalse() {
  return operation("annotate.assume");
}
Script atomicBegin() {
  Instruction instruction = operation("annotate.begin");
  instruction.ahead = Instruction::Ahead::Always;
  return instruction;
}
Script atomicEnd() {
  return operation("annotate.end");
}

}  // namespace mcmini
