#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/search/target.hpp"
#include "core/target/channel.hpp"
#include "core/target/step_clock.hpp"
#include "core/target/target_error.hpp"

namespace mcmini {

/// A thread's registers and a copy of its stack, from which its calls can be read.
struct StackCopy {
  std::array<std::uint64_t, wire::kRegisters> registers{};
  std::uint64_t address = 0;
  std::span<const std::uint8_t> bytes;
};

/// What a ForkTarget needs to know. Functions are called back on the checker's only thread.
struct ForkTargetOptions {
  std::filesystem::path program;
  std::vector<std::string> arguments;              ///< Without the program's own name.
  std::filesystem::path preload;                   ///< libmcmini.so
  std::vector<std::filesystem::path> alsoPreload;  ///< Other libraries that the program shall have.
  std::string userPreload;                         ///< What LD_PRELOAD was set to by the user.
  int standardInput = -1;                          ///< A seekable file that each run reads from its start.
  bool captureAll = false;                         ///< Keep what each run prints, not only for reports.
  bool fibers = true;                              ///< May threads be fibers, or only the system's?
  std::uint32_t processors = 1;
  std::uint64_t memoryLimit = 0;
  std::chrono::milliseconds stepTimeout{5000};
  std::function<bool()> interrupted = [] { return false; };
  std::function<Stack(const StackCopy&)> unwind = [](const StackCopy& copy) {
    return Stack{copy.registers.back()};
  };
  /// The variable at an address in a copied stack; empty if unknown.
  std::function<std::string(const StackCopy&, std::uint64_t)> variable = [](const StackCopy&, std::uint64_t) {
    return std::string();
  };
};

class StackWatch;

/// Runs a real program: a template process stopped before main, and a fork of it for each run. The processes
/// end with this object, and with the checker however that ends.
class ForkTarget : public Target {
 public:
  /// Starts the template, and does not wait for it.
  explicit ForkTarget(ForkTargetOptions options);
  ~ForkTarget() override;

  /// To be called before anything else is: waits until the program is stopped before its main; throws
  /// TargetError if it cannot be had under control.
  void awaitStart();

  Stop launch(std::span<const Step> plan, std::uint32_t runAhead) override;
  Stop resume(std::span<const Step> steps, std::uint32_t runAhead) override;
  Stop finish() override;
  std::size_t taken() const override { return channel_->cursor; }
  VisibleOp takenOp(std::size_t i) const override { return visible(channel_->steps[i].taken); }
  Result takenResult(std::size_t i) const override { return channel_->steps[i].plan.result; }
  VisibleOp pending(ThreadId thread) const override { return visible(channel_->boxes[index(thread)].op); }
  Rehearsal rehearse(std::span<const Step> plan, bool finishes) override;
  void askForObjects(const std::vector<std::uint64_t>& addresses) override;
  AccessLog accesses() const override;
  void askForAccesses(const std::vector<Access>& accesses) override;
  bool promote(const std::vector<MemoryRange>& ranges) override;

  /// What the current run has printed so far, if that is kept.
  std::string output() const { return captured(); }
  pid_t templateProcess() const { return template_; }
  const wire::Notes& notes() const { return channel_->notes; }
  const wire::Settings& settings() const { return channel_->settings; }
  bool usesFibers() const { return channel_->fibers != 0; }
  /// Where accesses are operations.
  std::vector<MemoryRange> promoted() const;
  /// Before the first run: does the program call pthread_cancel? If nobody says so, it may.
  void setCancels(bool cancels) { channel_->settings.cancels = cancels ? 1 : 0; }
  /// Before the first run: do threads queue up for what they take? If nobody says so, they do not.
  void setQueues(bool queues) { channel_->settings.queues = queues ? 1 : 0; }

 private:
  void start(bool bindNow);
  void awaitHello();
  void begin(std::span<const Step> plan, std::uint32_t runAhead);
  void write(std::span<const Step> steps);
  Stop await();
  std::uint32_t patience() const;
  bool hasHad(std::chrono::milliseconds time, const StepClock& clock) const;
  bool isAsleep() const;
  bool shallLetOthersRun(const StepClock& clock) const;
  void letOthersRun(const StepClock& clock);
  Stop halted(const StepClock& clock);
  Stop ended();
  Stop stuck();
  void probe();
  void endRun();
  bool runEnded() const;
  std::optional<StackCopy> snapshot() const;
  Stack stackOf() const;
  void noteOperation(Rehearsal& rehearsal, StackWatch& watch) const;
  void noteAccesses(ThreadId mover, StackWatch& watch) const;
  std::map<std::uint64_t, Allocated> allocations() const;
  void findAccesses(Rehearsal& rehearsal) const;
  void requireTemplate();
  void requireSoundChannel() const;
  std::string captured() const;
  std::string_view nameOf(std::uint64_t id) const;
  VisibleOp visible(const wire::Op& op) const;

  ForkTargetOptions options_;
  Channel channel_;
  int capture_ = -1;
  pid_t template_ = -1;
  bool running_ = false;
  std::set<std::uint64_t> asked_;                                 // objects, before a rehearsal
  std::vector<std::uint32_t> patience_;                           // by step, as far as they were planned
  mutable std::unordered_map<std::uint64_t, std::string> names_;  // what VisibleOps point to
};

}  // namespace mcmini
