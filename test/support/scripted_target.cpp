#include "test/support/scripted_target.hpp"

#include <csignal>
#include <stdexcept>
#include <utility>

#include "core/model/wakeup_policy.hpp"

namespace mcmini {

namespace {

std::uint64_t lockOf(const Instruction& instruction) {
  return instruction.lock != 0 ? instruction.lock : instruction.object;
}

}  // namespace

ScriptedTarget::ScriptedTarget(Program program, bool runsAhead, bool queues)
    : program_(std::move(program)), runsAhead_(runsAhead), queues_(queues) {}

Stop ScriptedTarget::launch(std::span<const Step> plan, std::uint32_t runAhead) {
  ++launches_;
  log_.clear();
  held_.clear();
  memory_ = {};
  accesses_.clear();
  threads_.clear();
  threads_.emplace_back(ScriptedThread(program_, 0, kMainThread, launches_, memory_));
  running_ = true;
  recordAccesses();
  Stop stop = halt(Stop::Kind::Waiting, kMainThread);
  for (const Step& step : plan) {
    if (stop.kind != Stop::Kind::Waiting) return stop;
    stop = take(step);
  }
  return stop.kind == Stop::Kind::Waiting ? goAhead(stop.thread, runAhead) : stop;
}

Stop ScriptedTarget::resume(std::span<const Step> steps, std::uint32_t runAhead) {
  if (!running_) throw std::logic_error("a run that is over was resumed");
  Stop stop;
  for (const Step& step : steps)
    if (stop.kind == Stop::Kind::Waiting) stop = take(step);
  return stop.kind == Stop::Kind::Waiting ? goAhead(steps.back().thread, runAhead) : stop;
}

Stop ScriptedTarget::finish() {
  for (const auto& thread : threads_)
    if (thread && thread->waits()) throw std::logic_error("the process cannot end while a thread waits");
  running_ = false;
  Stop stop;
  stop.kind = Stop::Kind::Exited;
  stop.status = program_.status;
  return stop;
}

VisibleOp ScriptedTarget::pending(ThreadId thread) const {
  if (!waits(thread)) throw std::logic_error("thread " + std::to_string(index(thread)) + " has no operation");
  return threads_[index(thread)]->pending();
}

Rehearsal ScriptedTarget::rehearse(std::span<const Step> plan, bool finishes) {
  Rehearsal rehearsal;
  rehearsal.stop = launch({}, 0);
  for (const Step& step : plan) {
    if (rehearsal.stop.kind != Stop::Kind::Waiting) break;
    rehearsal.taken.push_back(waits(step.thread) ? Stack{pending(step.thread).site} : Stack{});
    rehearsal.stop = resume({&step, 1}, 0);
  }
  for (const auto& thread : threads_)
    if (thread && thread->waits()) rehearsal.pending[thread->pending().thread] = {thread->pending().site};
  if (finishes && rehearsal.stop.kind == Stop::Kind::Waiting) rehearsal.stop = finish();
  return rehearsal;
}

bool ScriptedTarget::waits(ThreadId thread) const {
  return index(thread) < threads_.size() && threads_[index(thread)] && threads_[index(thread)]->waits();
}

Stop ScriptedTarget::take(Step step) {
  if (!waits(step.thread)) return halt(Stop::Kind::Diverged, step.thread);
  ScriptedThread& thread = *threads_[index(step.thread)];
  const Instruction instruction = thread.instruction();
  log_.push_back(thread.pending());
  std::uint64_t lock = lockOf(instruction);
  bool isQueued = (step.result & kQueued) != 0;
  bool takes = (instruction.takesAnyway && !isQueued) || (instruction.takes && step.result == 0);
  if (takes && !held_.insert(lock).second)
    throw std::logic_error("the model granted " + std::string(instruction.name) + " of what is taken");
  if (instruction.releases) held_.erase(lock);
  thread.take(step.result, memory_);
  if (instruction.ends) memory_.uses.clear();  // the thread does not get there
  recordAccesses();
  if (instruction.ends) {
    Stop stop = halt(Stop::Kind::Exited, step.thread);
    stop.status = static_cast<int>(instruction.argument);
    return stop;
  }
  if (instruction.creates) {
    auto child = static_cast<std::uint32_t>(step.result);
    if (threads_.size() <= child) threads_.resize(child + 1);
    threads_[child] = ScriptedThread(program_, instruction.argument, ThreadId{child}, launches_, memory_);
  }
  Stop stop = halt(Stop::Kind::Waiting, step.thread);
  bool crashed = stop.kind == Stop::Kind::Crashed || stop.kind == Stop::Kind::Asserted;
  if (!step.last || !crashed) return stop;
  running_ = true;
  stop = Stop{};
  stop.thread = step.thread;
  return stop;
}

void ScriptedTarget::recordAccesses() {
  for (const Memory::Use& use : std::exchange(memory_.uses, {}))
    if (program_.tells)
      accesses_.push_back({.address = 0x1000 + 4 * use.variable,
                           .site = use.site,
                           .size = 4,
                           .segment = static_cast<std::uint32_t>(log_.size()),
                           .kind = use.isWrite ? Access::Kind::Write : Access::Kind::Read});
}

bool ScriptedTarget::mayGoAhead(ThreadId thread) const {
  if (!runsAhead_ || !waits(thread)) return false;
  const Instruction& next = threads_[index(thread)]->instruction();
  return next.ahead == Instruction::Ahead::Always ||
         (next.ahead == Instruction::Ahead::IfFree && !queues_ && !held_.contains(lockOf(next)));
}

Stop ScriptedTarget::goAhead(ThreadId mover, std::uint32_t runAhead) {
  Stop stop;
  stop.thread = mover;
  for (; runAhead > 0 && stop.kind == Stop::Kind::Waiting && mayGoAhead(mover); --runAhead) {
    ++tookAhead_;
    stop = take({mover, 0});
  }
  return stop;
}

/// The thread that moved does not go on: because it waits, or because of what happened to it.
Stop ScriptedTarget::halt(Stop::Kind kind, ThreadId thread) {
  Stop stop;
  stop.kind = kind;
  stop.thread = thread;
  const Instruction* trouble = nullptr;
  if (index(thread) < threads_.size() && threads_[index(thread)])
    trouble = threads_[index(thread)]->trouble();
  if (kind == Stop::Kind::Waiting && trouble != nullptr) {
    stop.kind = trouble->kind == Instruction::Kind::Crash  ? Stop::Kind::Crashed
                : trouble->kind == Instruction::Kind::Fail ? Stop::Kind::Asserted
                                                           : Stop::Kind::Stuck;
    stop.text = trouble->text;
    if (stop.kind == Stop::Kind::Crashed) stop.signal = SIGSEGV;
    if (stop.kind == Stop::Kind::Asserted) stop.signal = SIGABRT;
    stop.stack = {threads_[index(thread)]->site()};
  }
  running_ = stop.kind == Stop::Kind::Waiting;
  return stop;
}

}  // namespace mcmini
