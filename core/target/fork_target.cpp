#include "core/target/fork_target.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/target/template_process.hpp"

namespace mcmini {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kSlice = 100ms;  // how often a waiting checker looks around
constexpr timespec kSliceSpec{0, 100'000'000};
constexpr auto kHelloTimeout = 20s;
constexpr off_t kMaxOutput = 64 << 20;
constexpr std::size_t kShownOutput = 1 << 20;

}  // namespace

ForkTarget::ForkTarget(ForkTargetOptions options) : options_(std::move(options)) {
  capture_ = memfd_create("mcmini-output", MFD_CLOEXEC);
  if (capture_ < 0) throw std::system_error(errno, std::generic_category(), "cannot create shared memory");
  fcntl(capture_, F_SETFL, O_APPEND);
  channel_->settings.memoryLimit = options_.memoryLimit;
  channel_->settings.processors = options_.processors;
  channel_->settings.queues = options_.queues ? 1 : 0;
  setCancels(true);
  channel_->settings.checkerPid = getpid();
  try {
    startAndGreet();
  } catch (...) {
    endTemplate(template_);
    close(capture_);
    throw;
  }
}

/// A program may leave functions undefined that it never calls; then it starts only if they are not looked
/// up.
void ForkTarget::startAndGreet() {
  for (bool bindNow : {true, false}) {
    (void)!ftruncate(capture_, 0);
    template_ = startTemplate(options_, channel_, {capture_, bindNow});
    try {
      return awaitHello();
    } catch (const TargetError&) {
      if (!bindNow) throw;
      endTemplate(template_);
    }
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
  for (std::uint32_t i = 0; i <= channel_->highest; ++i) {
    channel_->boxes[i].state = wire::Mailbox::kAbsent;
    channel_->boxes[i].bell.word = wire::Bell::kQuiet;
  }
  for (std::size_t i = 0; i < plan.size(); ++i)
    channel_->steps[i].plan = {index(plan[i].thread), plan[i].last ? 1U : 0U, plan[i].result};
  channel_->highest = 0;
  channel_->cursor = 0;
  channel_->planned = static_cast<std::uint32_t>(plan.size());
  channel_->runAhead = runAhead;
  channel_->ending.kind = wire::Ending::kNone;
  channel_->snapshot.valid = 0;
  channel_->halted = 0;
  channel_->pid = 0;
  running_ = true;
  __atomic_store_n(&channel_->run, channel_->run + 1, __ATOMIC_RELEASE);
  channel_->fork.ring();
}

Stop ForkTarget::resume(std::span<const Step> steps, std::uint32_t runAhead) {
  std::uint32_t at = channel_->cursor;
  if (options_.interrupted()) throw Interrupted{};
  if (at + steps.size() >= wire::kMaxSteps) throw std::length_error("a run with too many steps");
  for (const Step& step : steps)
    channel_->steps[at++].plan = {index(step.thread), step.last ? 1U : 0U, step.result};
  channel_->planned = at;
  channel_->runAhead = runAhead;
  channel_->halted = 0;
  channel_->boxes[index(steps.front().thread)].bell.ring();
  return await();
}

Stop ForkTarget::finish() {
  channel_->halted = 0;
  return await();
}

Stop ForkTarget::await() {
  std::uint32_t progress = channel_->cursor;
  for (auto waited = 0ms;;) {
    if (__atomic_load_n(&channel_->halted, __ATOMIC_ACQUIRE) != 0) return halted();
    if (runEnded()) return ended();
    if (channel_->checker.await(&kSliceSpec)) continue;
    if (options_.interrupted()) throw Interrupted{};
    requireTemplate();
    waited = progress == channel_->cursor ? waited + kSlice : 0ms;
    progress = channel_->cursor;
    struct stat output {};
    if (fstat(capture_, &output) == 0 && output.st_size > kMaxOutput) (void)!ftruncate(capture_, 0);
    if (waited >= options_.stepTimeout) return stuck();
  }
}

bool ForkTarget::runEnded() const {
  return __atomic_load_n(&channel_->ended, __ATOMIC_ACQUIRE) == channel_->run;
}

Stop ForkTarget::halted() {
  Stop stop;
  stop.thread = ThreadId{channel_->running};
  const wire::Ending& ending = channel_->ending;
  switch (ending.kind) {
    case wire::Ending::kDiverged:
      stop.kind = Stop::Kind::Diverged;
      break;
    case wire::Ending::kDisagrees:
      throw std::logic_error(std::string("the model granted an operation that the thread library refused: ") +
                             ending.text);
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
  if (channel_->status == -1)
    throw TargetError("cannot start another process for " + options_.program.string() +
                      ": the system's limit of processes or memory is reached.");
  Stop stop;
  stop.thread = ThreadId{channel_->running};
  const wire::Ending& ending = channel_->ending;
  if (WIFEXITED(channel_->status)) {
    stop.kind = Stop::Kind::Exited;
    stop.status = WEXITSTATUS(channel_->status);
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

/// Asks the running thread where it is, and ends the run.
Stop ForkTarget::stuck() {
  Stop stop;
  stop.kind = Stop::Kind::Stuck;
  stop.thread = ThreadId{channel_->running};
  channel_->snapshot.valid = 0;
  std::uint32_t tid = channel_->boxes[channel_->running].tid;
  if (channel_->pid > 0 && syscall(SYS_tgkill, channel_->pid, tid, wire::kProbeSignal) == 0) {
    for (int i = 0; i < 3 && __atomic_load_n(&channel_->snapshot.valid, __ATOMIC_ACQUIRE) == 0; ++i)
      channel_->checker.await(&kSliceSpec);
    stop.stack = stackOf();
  }
  endRun();
  while (!runEnded()) {
    channel_->checker.await(&kSliceSpec);
    requireTemplate();
  }
  running_ = false;
  return stop;
}

void ForkTarget::endRun() {
  if (running_ && channel_->pid > 0 && !runEnded()) kill(channel_->pid, SIGKILL);
}

Stack ForkTarget::stackOf() const {
  const wire::Snapshot& snapshot = channel_->snapshot;
  if (__atomic_load_n(&snapshot.valid, __ATOMIC_ACQUIRE) == 0) return {};
  StackCopy copy;
  std::memcpy(copy.registers.data(), snapshot.registers, sizeof snapshot.registers);
  copy.address = snapshot.stackAddress;
  copy.bytes = {snapshot.stack, snapshot.stackSize};
  return options_.unwind(copy);
}

void ForkTarget::requireTemplate() {
  if (std::string end = howItEnded(template_); !end.empty())
    throw TargetError("the process that mcmini forks the runs of " + options_.program.string() + " from " +
                      end + ". Did somebody end it, or did the machine run out of memory?");
}

std::string ForkTarget::captured() const {
  std::string text(kShownOutput, '\0');
  ssize_t size = pread(capture_, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

Rehearsal ForkTarget::rehearse(std::span<const Step> plan, bool finishes) {
  Rehearsal rehearsal;
  (void)!ftruncate(capture_, 0);
  channel_->capture = channel_->snapshots = 1;
  auto remember = [&] {
    if (rehearsal.stop.kind == Stop::Kind::Waiting &&
        channel_->boxes[channel_->running].state == wire::Mailbox::kWaiting)
      rehearsal.pending[ThreadId{channel_->running}] = stackOf();
  };
  rehearsal.stop = launch({}, 0);
  remember();
  for (const Step& step : plan) {
    if (rehearsal.stop.kind != Stop::Kind::Waiting) break;
    rehearsal.taken.push_back(std::exchange(rehearsal.pending[step.thread], {}));
    rehearsal.stop = resume({&step, 1}, 0);
    remember();
  }
  if (finishes && rehearsal.stop.kind == Stop::Kind::Waiting) rehearsal.stop = finish();
  channel_->capture = channel_->snapshots = 0;
  rehearsal.output = captured();
  return rehearsal;
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
          .call = nameOf(op.call)};
}

}  // namespace mcmini
