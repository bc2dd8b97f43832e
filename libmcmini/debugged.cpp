#include "libmcmini/debugged.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "libmcmini/gate.h"
#include "libmcmini/real.h"

using mcmini::wire::Mailbox;
using mcmini::wire::Op;

// What the debugger reads and writes, as core/app/gdb/program.py expects it: addresses of what changes with
// each step, and where to stop.
struct DebuggerView {
  const uint32_t* step;
  const uint32_t* mover;
  const Mailbox* boxes;
  uint64_t boxSize;
  uint64_t tidOffset;
  uint32_t stopAt;
  uint32_t strayed;
};

MCMINI_EXPORT volatile DebuggerView mcmini_view;
volatile DebuggerView mcmini_view;

// The debugger has a breakpoint here.
MCMINI_EXPORT __attribute__((noinline)) void mcmini_at_step() {
  __asm__ volatile("" ::: "memory");
}

namespace mcmini {

namespace {

constexpr timespec kMoment{0, 1'000'000};
constexpr int kMoments = 200;
constexpr timespec kTimeToWork{0, 100'000'000};

void sleepAMoment() {
  rawSyscall(SYS_nanosleep, reinterpret_cast<long>(&kMoment));
}

// A thread that was just created tells its number when the kernel lets it run. If it could not be created, it
// never does.
uint32_t tidOf(const Mailbox& box) {
  for (int i = 0; i < kMoments && __atomic_load_n(&box.tid, __ATOMIC_RELAXED) == 0; ++i) sleepAMoment();
  return __atomic_load_n(&box.tid, __ATOMIC_RELAXED);
}

void awaitNewThreads() {
  for (uint32_t i = 0; i <= channel->highest; ++i)
    if (channel->boxes[i].state == Mailbox::kWaiting) tidOf(channel->boxes[i]);
}

void showAgain(int32_t& kept, int as) {
  if (kept < 0) return;
  dup2(kept, as);
  close(kept);
  kept = -1;
}

void stop() {
  showAgain(channel->debugger.output, STDOUT_FILENO);
  showAgain(channel->debugger.error, STDERR_FILENO);
  awaitNewThreads();
  mcmini_at_step();
}

int timer = -1;

// It waits for memory to change, or works for long: when it was run before, it was interrupted there. The
// first signal may come before it has taken its step, so there are more.
void interruptLater(uint32_t tid) {
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = wire::kProbeSignal;
  event._sigev_un._tid = static_cast<pid_t>(tid);
  if (rawSyscall(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event),
                 reinterpret_cast<long>(&timer)) != 0)
    return;
  constexpr itimerspec kAgainAndAgain = {kTimeToWork, kTimeToWork};
  channel->interruptedAt = wire::Channel::kAnywhere;
  channel->interrupt = wire::Channel::kWanted;
  rawSyscall(SYS_timer_settime, timer, 0, reinterpret_cast<long>(&kAgainAndAgain));
}

void interruptNoMore() {
  channel->interrupt = 0;
  if (timer >= 0) rawSyscall(SYS_timer_delete, timer);
  timer = -1;
}

}  // namespace

void beginDebuggedRun() {
  mcmini_view.step = &channel->cursor;
  mcmini_view.mover = &channel->running;
  mcmini_view.boxes = channel->boxes;
  mcmini_view.boxSize = sizeof(Mailbox);
  mcmini_view.tidOffset = offsetof(Mailbox, tid);
  mcmini_view.stopAt = channel->debugger.stopAt;
  if (channel->debugger.comesToNone != 0) interruptLater(channel->boxes[0].tid);
}

void letDebuggerLook() {
  interruptNoMore();
  if (channel->cursor >= mcmini_view.stopAt) stop();
  while (channel->cursor == channel->planned) stop();
  const wire::Step& next = channel->steps[channel->cursor];
  const Mailbox& box = channel->boxes[next.plan.thread];
  if (box.state != Mailbox::kWaiting || box.op.name != next.taken.name) stray();
  if ((next.taken.flags & Op::kComesToNone) != 0) interruptLater(tidOf(box));
}

void stray() {
  mcmini_view.strayed = 1;
  while (true) stop();
}

}  // namespace mcmini
