#include "core/target/fork_target.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/target/template_process.hpp"

namespace mcmini {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kSlice = 20ms;  // how often a waiting checker looks around
constexpr timespec kSliceSpec{0, 20'000'000};

constexpr auto kPatienceUnit = 50ms;       // of work
constexpr auto kKnownWait = 3 * kSlice;    // for a thread that is known to wait in the kernel
constexpr auto kFileWait = 5 * kSlice;     // for one that waits for a file, which another one may write to
constexpr auto kAnswerTime = 10 * kSlice;  // for one that is asked to let others run
constexpr int kBusiest = 10;               // how many times longer things take then
constexpr auto kHelloTimeout = 20s;
constexpr off_t kMaxOutput = 64 << 20;

}  // namespace

ForkTarget::ForkTarget(ForkTargetOptions options) : options_(std::move(options)) {
  capture_ = memfd_create("mcmini-output", MFD_CLOEXEC);
  if (capture_ < 0) throw TargetError(cannot("create shared memory", errno));
  fcntl(capture_, F_SETFL, O_APPEND);
  channel_->settings.memoryLimit = options_.memoryLimit;
  channel_->settings.processors = options_.processors;
  channel_->settings.fibers = options_.fibers ? 1 : 0;
  channel_->capture = options_.captureAll ? 1 : 0;
  setCancels(true);
  channel_->settings.checkerPid = getpid();
  try {
    start(true);
  } catch (...) {
    close(capture_);
    throw;
  }
}

void ForkTarget::start(bool bindNow) {
  (void)!ftruncate(capture_, 0);
  template_ = startTemplate(options_, channel_, {capture_, bindNow});
}

/// A program may leave functions undefined that it never calls; then it starts only if they are not looked
/// up.
void ForkTarget::awaitStart() {
  try {
    awaitHello();
  } catch (const TargetError&) {
    endTemplate(template_);
    start(false);
    awaitHello();
  }
}

ForkTarget::~ForkTarget() {
  endTemplate(template_);
  close(capture_);
}

void ForkTarget::awaitHello() {
  const std::string name = options_.program.string();
  for (auto waited = 0ms; channel_->helloSize == 0;) {
    if (!channel_->checker.await(&kSliceSpec)) waited += kSlice;
    if (options_.interrupted()) throw Interrupted{};
    if (channel_->helloSize != 0) break;
    if (std::string end = howItEnded(template_); !end.empty()) {
      std::string output = captured();
      throw TargetError(name + " " + end + " before its main function could be reached" +
                        (output.empty() ? "." : ". It said:\n" + output));
    }
    if (waited >= kHelloTimeout)
      throw TargetError(name +
                        " did not reach its main function. Does a library that it loads wait for something?");
  }
  if (channel_->helloSize != sizeof(wire::Channel))
    throw TargetError(options_.preload.string() +
                      " belongs to another version of mcmini. Install both anew.");
  if (channel_->notes.threadsBeforeMain != 0)
    throw TargetError(name +
                      " is linked with a library that starts threads before main. They would be lost.");
}

Stop ForkTarget::launch(std::span<const Step> plan, std::uint32_t runAhead) {
  begin(plan, runAhead);
  return await();
}

void ForkTarget::begin(std::span<const Step> plan, std::uint32_t runAhead) {
  if (options_.interrupted()) throw Interrupted{};
  if (plan.size() >= wire::kMaxSteps) throw std::length_error("a plan with too many steps");
  endRun();
  if (options_.captureAll) (void)!ftruncate(capture_, 0);
  for (std::uint32_t i = 0; i <= channel_->highest; ++i) {
    channel_->boxes[i].state = wire::Mailbox::kAbsent;
    channel_->boxes[i].bell.word = wire::Bell::kQuiet;
    channel_->boxes[i].inFileCall = 0;
    channel_->boxes[i].title[0] = 0;
  }
  channel_->highest = 0;
  channel_->cursor = 0;
  channel_->accesses.count = channel_->accesses.full = 0;
  patience_.clear();
  write(plan);
  channel_->runAhead = runAhead;
  channel_->ending.kind = wire::Ending::kNone;
  channel_->snapshot.valid = 0;
  channel_->signals = {};
  channel_->interrupt = 0;
  channel_->halted = 0;
  channel_->pid = 0;
  running_ = true;
  __atomic_store_n(&channel_->run, channel_->run + 1, __ATOMIC_RELEASE);
  channel_->fork.ring();
}

/// The steps that follow those taken so far.
void ForkTarget::write(std::span<const Step> steps) {
  std::uint32_t at = channel_->cursor;
  patience_.resize(at, kUsualPatience);
  for (const Step& step : steps) {
    channel_->steps[at++].plan = {index(step.thread), step.last, step.involuntary, step.result};
    patience_.push_back(step.patience);
  }
  channel_->planned = at;
}

Stop ForkTarget::resume(std::span<const Step> steps, std::uint32_t runAhead) {
  if (options_.interrupted()) throw Interrupted{};
  if (channel_->cursor + steps.size() >= wire::kMaxSteps)
    throw std::length_error("a run with too many steps");
  write(steps);
  channel_->runAhead = runAhead;
  channel_->halted = 0;
  channel_->bellOf(index(steps.front().thread)).ring();
  return await();
}

Stop ForkTarget::finish() {
  channel_->halted = 0;
  return await();
}

Stop ForkTarget::await() {
  StepClock clock;
  StepClock answer;  // from when the thread was last asked to let others run
  while (true) {
    if (__atomic_load_n(&channel_->halted, __ATOMIC_ACQUIRE) != 0) return halted(clock);
    if (runEnded()) return ended();
    if (channel_->interrupt == wire::Channel::kCannotBe) return stuck();
    if (channel_->checker.await(&kSliceSpec)) continue;
    if (options_.interrupted()) throw Interrupted{};
    requireTemplate();
    requireSoundChannel();
    clock.tick(kSlice, channel_->cursor, channel_->pid);
    struct stat output {};
    if (fstat(capture_, &output) == 0 && output.st_size > kMaxOutput) (void)!ftruncate(capture_, 0);
    if (channel_->interruptedAt != clock.steps())
      channel_->interrupt = 0;  // it had moved before it was asked
    if (channel_->interrupt != 0) {
      answer.tick(kSlice, channel_->cursor, channel_->pid);
      if (hasHad(kAnswerTime, answer) && hasHad(options_.stepTimeout, clock)) return stuck();
    } else if (patience() == kEndlessPatience) {
      if (hasHad(options_.stepTimeout, clock)) return stuck();
    } else if (shallLetOthersRun(clock)) {
      letOthersRun(clock);
      answer = {};
    }
  }
}

/// One that works on a busy machine has had its time only when it got some of the processor.
bool ForkTarget::hasHad(std::chrono::milliseconds time, const StepClock& clock) const {
  if (clock.waited() < time) return false;
  return 2 * clock.worked() >= time || clock.waited() >= kBusiest * time || isAsleep();
}

/// Does the thread that moves wait for something in the kernel? Not if it has reached its next operation, and
/// the one whose turn it is does not have a processor yet.
bool ForkTarget::isAsleep() const {
  const wire::Mailbox& box = channel_->boxes[channel_->running];
  return box.state != wire::Mailbox::kWaiting && mcmini::isAsleep(channel_->pid, box.tid);
}

/// A thread in the kernel may wait for another one, at a pipe for instance; or for somebody outside. One that
/// works does so on a busy machine for longer.
bool ForkTarget::shallLetOthersRun(const StepClock& clock) const {
  if (patience() == kWholePatience) return hasHad(options_.stepTimeout, clock);
  bool hasWorked = clock.worked() >= kPatienceUnit * patience();
  bool isInFileCall = channel_->boxes[channel_->running].inFileCall != 0;
  std::chrono::milliseconds unknownWait = isInFileCall ? kFileWait : options_.stepTimeout;
  bool hasWaited = clock.waited() >= (patience() == kShortPatience ? kKnownWait : unknownWait);
  if (!hasWorked && !hasWaited) return false;
  return isAsleep() ? hasWaited : hasWorked;
}

/// With the thread that moves.
std::uint32_t ForkTarget::patience() const {
  if (channel_->cursor == 0) return kEndlessPatience;
  return channel_->cursor <= patience_.size() ? patience_[channel_->cursor - 1] : kUsualPatience;
}

/// Tells the thread that moves to announce that it has not come to an operation yet.
void ForkTarget::letOthersRun(const StepClock& clock) {
  channel_->interruptedAt = clock.steps();
  channel_->interrupt = wire::Channel::kWanted;
  probe();
}

bool ForkTarget::runEnded() const {
  return __atomic_load_n(&channel_->ended, __ATOMIC_ACQUIRE) == channel_->run;
}

/// A program that writes where it should not may hit what it shares with the checker.
void ForkTarget::requireSoundChannel() const {
  const wire::Channel& now = *channel_;
  bool isSound = now.highest < wire::kMaxThreads && now.running < wire::kMaxThreads &&
                 now.cursor <= wire::kMaxSteps && now.planned <= wire::kMaxSteps &&
                 now.names.count <= wire::kMaxNames && now.accesses.count <= wire::kMaxAccesses &&
                 now.snapshot.stackSize <= sizeof now.snapshot.stack;
  if (isSound) return;
  throw TargetError(
      options_.program.string() +
      " writes to memory that is not its own: it has overwritten what mcmini shares with it. Is "
      "there a pointer that was never set, or an index out of bounds?");
}

Stop ForkTarget::halted(const StepClock& clock) {
  requireSoundChannel();
  Stop stop;
  stop.thread = ThreadId{channel_->running};
  stop.signalled = channel_->signals.handled != 0;
  for (const auto& [step, worked] : clock.slowSteps())
    stop.work[step] = static_cast<std::uint32_t>((worked + kSlice) / kPatienceUnit) + 1;
  const wire::Ending& ending = channel_->ending;
  switch (ending.kind) {
    case wire::Ending::kDiverged:
      stop.kind = Stop::Kind::Diverged;
      break;
    case wire::Ending::kDisagrees:
      if (stop.signalled)
        throw TargetError(options_.program.string() +
                          ": what one of its threads uses is used out of mcmini's sight as well (" +
                          ending.text +
                          "). Does a thread that the C library starts for a timer (SIGEV_THREAD) do that?");
      stop.kind = Stop::Kind::Refused;
      stop.text = ending.text;
      break;
    case wire::Ending::kLimit:
      throw TargetError(options_.program.string() + " has more " + ending.text +
                        ". Check it with a smaller number of them.");
    default:
      break;
  }
  return stop;
}

Stop ForkTarget::ended() {
  running_ = false;
  requireSoundChannel();
  if (channel_->status == -1)
    throw TargetError("cannot start another process for " + options_.program.string() +
                      ": the system's limit of processes or memory is reached.");
  Stop stop;
  stop.thread = ThreadId{channel_->running};
  stop.signalled = channel_->signals.handled != 0;
  const wire::Ending& ending = channel_->ending;
  if (WIFEXITED(channel_->status)) {
    stop.kind = Stop::Kind::Exited;
    stop.status = WEXITSTATUS(channel_->status);
    stop.becameAnother = channel_->notes.execed != 0;
    return stop;
  }
  stop.kind = Stop::Kind::Crashed;
  stop.signal = WTERMSIG(channel_->status);
  if (ending.kind == wire::Ending::kAssertion) {
    stop.kind = Stop::Kind::Asserted;
    stop.text = ending.text;
  }
  if (ending.kind != wire::Ending::kNone) stop.stack = stackOf();
  return stop;
}

/// Asks the running thread where it is, unless it has said so, and ends the run.
Stop ForkTarget::stuck() {
  requireSoundChannel();
  Stop stop;
  stop.kind = Stop::Kind::Stuck;
  stop.thread = ThreadId{channel_->running};
  if (channel_->interrupt != wire::Channel::kCannotBe) {
    channel_->snapshot.valid = 0;
    channel_->interrupt = 0;
    probe();
    StepClock answer;
    while (__atomic_load_n(&channel_->snapshot.valid, __ATOMIC_ACQUIRE) == 0 &&
           !hasHad(kAnswerTime, answer) && !runEnded()) {
      if (!channel_->checker.await(&kSliceSpec)) answer.tick(kSlice, channel_->cursor, channel_->pid);
    }
  }
  stop.stack = stackOf();
  endRun();
  while (!runEnded()) {
    channel_->checker.await(&kSliceSpec);
    requireTemplate();
  }
  running_ = false;
  return stop;
}

void ForkTarget::probe() {
  if (channel_->pid > 0)
    syscall(SYS_tgkill, channel_->pid, channel_->boxes[channel_->running].tid, wire::kProbeSignal);
}

void ForkTarget::endRun() {
  if (running_ && channel_->pid > 0 && !runEnded()) kill(channel_->pid, SIGKILL);
}

std::optional<StackCopy> ForkTarget::snapshot() const {
  const wire::Snapshot& snapshot = channel_->snapshot;
  if (__atomic_load_n(&snapshot.valid, __ATOMIC_ACQUIRE) == 0) return std::nullopt;
  StackCopy copy;
  std::memcpy(copy.registers.data(), snapshot.registers, sizeof snapshot.registers);
  copy.address = snapshot.stackAddress;
  copy.bytes = {snapshot.stack, snapshot.stackSize};
  return copy;
}

Stack ForkTarget::stackOf() const {
  std::optional<StackCopy> copy = snapshot();
  return copy ? options_.unwind(*copy) : Stack{};
}

void ForkTarget::requireTemplate() {
  if (std::string end = howItEnded(template_); !end.empty())
    throw TargetError("the process that mcmini forks the runs of " + options_.program.string() + " from " +
                      end + ". Did the program send a signal to all of its process group, as kill(0, ...) " +
                      "does, did somebody end it, or did the machine run out of memory?");
}

std::string ForkTarget::captured() const {
  struct stat output {};
  if (fstat(capture_, &output) != 0) return {};
  std::string text(static_cast<std::size_t>(std::min(output.st_size, kMaxOutput)), '\0');
  ssize_t size = pread(capture_, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

std::string_view ForkTarget::nameOf(std::uint64_t id) const {
  if (id == 0) return {};
  const wire::Names& names = channel_->names;
  for (std::uint32_t i = static_cast<std::uint32_t>(names_.size()); i < names.count; ++i)
    names_.try_emplace(names.entries[i].id, names.entries[i].text,
                       strnlen(names.entries[i].text, wire::kNameSize));
  return names_.at(id);
}

VisibleOp ForkTarget::visible(const wire::Op& op) const {
  return {.op = NameId{op.name},
          .name = nameOf(op.name),
          .thread = ThreadId{op.thread},
          .object = op.object,
          .args = {op.args[0], op.args[1], op.args[2]},
          .site = op.site,
          .call = nameOf(op.call),
          .epoch = op.epoch,
          .initial = op.initial};
}

}  // namespace mcmini
