#pragma once

#include "core/model/transition.hpp"

namespace mcmini {

/// An operation on one object, in terms of that object's state:
///
///     struct Pass : OperationOn<Gate> {
///       using OperationOn::OperationOn;
///       bool ready(const Gate& gate) const override { return gate.open; }
///       Result act(Gate&) const override { return 0; }
///     };
template <class State>
class OperationOn : public Transition {
 public:
  explicit OperationOn(const VisibleOp& op) : Transition(op, {objectAt(op.object)}) {}

  /// Could the thread finish it now, without waiting?
  virtual bool ready(const State& /*object*/) const { return true; }

  /// What it does to the object. Returns what the thread gets; 0 is success (see Transition::failed).
  virtual Result act(State& object) const = 0;

  /// Why it is an error of the program to call it now, as the end of a sentence: "which is shut already".
  /// Empty: it is none.
  virtual std::string mistake(const State& /*object*/) const { return ""; }

  bool enabled(const ModelState& state) const final { return ready(in(state)); }
  Result apply(ModelState& state) const final { return act(state.edit<State>(object())); }
  std::vector<ThreadId> blockedBy(const ModelState& state) const override { return in(state).holders(); }
  std::optional<std::string> misuse(const ModelState& state, const Names& names) const final {
    std::string reason = mistake(in(state));
    if (reason.empty()) return std::nullopt;
    return names.thread(thread()) + " calls " + describe(names) + ", " + reason;
  }
  std::string describe(const Names& names) const override {
    return calledAs(visible().name) + "(" + names.object(object()) + ")";
  }

 protected:
  ObjectId object() const { return objects()[0]; }
  const State& in(const ModelState& state) const { return state.get<State>(object()); }
  /// An argument of the call besides the object.
  std::uint64_t argument(std::size_t number) const { return visible().args.at(number); }
};

}  // namespace mcmini
