#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/search/target.hpp"
#include "test/support/script.hpp"

namespace mcmini {

/// Runs a scripted program as a real one would be run, but without a process. Strict: it throws
/// std::logic_error when the checker asks for something that a target need not do.
class ScriptedTarget : public Target {
 public:
  /// `runsAhead`: whether it makes use of its right to take operations without asking.
  explicit ScriptedTarget(Program program, bool runsAhead = true, bool queues = false);

  Stop launch(std::span<const Step> plan, std::uint32_t runAhead) override;
  Stop resume(std::span<const Step> steps, std::uint32_t runAhead) override;
  Stop finish() override;
  std::size_t taken() const override { return log_.size(); }
  VisibleOp takenOp(std::size_t i) const override { return log_.at(i); }
  VisibleOp pending(ThreadId thread) const override;
  Rehearsal rehearse(std::span<const Step> plan, bool finishes) override;
  /// Two variables share a word.
  AccessLog accesses() const override { return {accesses_}; }

  /// How often the program was started, and how many operations it took without being asked.
  std::uint64_t launches() const { return launches_; }
  std::uint64_t tookAhead() const { return tookAhead_; }

 private:
  bool waits(ThreadId thread) const;
  bool mayGoAhead(ThreadId thread) const;
  Stop take(Step step);
  void recordAccesses();
  Stop goAhead(ThreadId mover, std::uint32_t runAhead);
  Stop halt(Stop::Kind kind, ThreadId thread);

  const Program program_;
  const bool runsAhead_;
  const bool queues_;  // what is free may not be for everybody
  std::uint64_t launches_ = 0;
  std::uint64_t tookAhead_ = 0;
  bool running_ = false;
  std::vector<std::optional<ScriptedThread>> threads_;  // by id
  Memory memory_;
  std::vector<Access> accesses_;
  std::vector<VisibleOp> log_;
  std::set<std::uint64_t> held_;  // what the real objects show, as far as it matters to running ahead
};

}  // namespace mcmini
