#include "libmcmini/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "libmcmini/accesses.h"
#include "libmcmini/budget.h"
#include "libmcmini/cancel.h"
#include "libmcmini/fibers.h"
#include "libmcmini/gate.h"
#include "libmcmini/heap.h"
#include "libmcmini/real.h"
#include "libmcmini/wrappers/handlers.h"

extern "C" void __assert_fail(const char* what, const char* file, unsigned line,
                              const char* function) noexcept;
extern "C" void __assert_perror_fail(int error, const char* file, unsigned line,
                                     const char* function) noexcept;
MCMINI_WRAPS(__assert_fail)
MCMINI_WRAPS(__assert_perror_fail)

using mcmini::wire::Ending;

namespace mcmini {

namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// Within the C library the thread may hold one of its locks, which others would wait for.
bool mayStop(int signal, const void* context) {
  auto pc = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  return signal == SIGABRT || arenaFor(reinterpret_cast<const void*>(pc)) != kLibc;
}

// After a breakpoint instruction the thread stands behind it.
void stepBack(int signal, const siginfo_t& info, void* context) {
  if (signal == SIGTRAP && info.si_code == SI_KERNEL)
    --static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
}

void onCrash(int signal, siginfo_t* info, void* context) {
  stepBack(signal, *info, context);
  if (mayStop(signal, context)) stopIfLast();
  if (channel != nullptr && channel->ending.kind == Ending::kNone) {
    channel->ending.kind = Ending::kSignal;
    channel->ending.thread = self;
    channel->ending.signal = signal;
    channel->ending.address = asObject(info->si_addr);
    if (hadShortage()) channel->notes.outOfMemory = 1;
    snapshot(context);
  }
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  // After a signal of the kernel's own the instruction is tried once more, but not one that traps.
  bool happensAgain = info->si_code > 0 && signal != SIGTRAP && signal != SIGSYS;
  if (!happensAgain) raise(signal);
}

constexpr uint8_t kSyscall[] = {0x0f, 0x05};

enum class Call { None, Again, Unknown };

// The program knows of no signal: a system call that would tell it of one is called again, unless it cannot
// be told which one that was. Those that the kernel itself would call again are none.
Call callAgain(ucontext_t& context) {
  constexpr uint8_t kMoveToRax = 0xb8;
  auto& registers = context.uc_mcontext.gregs;
  const auto* after = reinterpret_cast<const uint8_t*>(registers[REG_RIP]);
  const uint8_t* call = after - sizeof kSyscall;
  if (registers[REG_RAX] != -EINTR || memcmp(call, kSyscall, sizeof kSyscall) != 0) return Call::None;
  int32_t number;
  const uint8_t* operand = call - sizeof number;
  if (operand[-1] != kMoveToRax) return Call::Unknown;
  memcpy(&number, operand, sizeof number);
  registers[REG_RAX] = number;
  registers[REG_RIP] = reinterpret_cast<greg_t>(call);
  return Call::Again;
}

// If the thread is about to call the kernel again, it does not, as if a signal had come.
void returnFromCall(ucontext_t& context) {
  auto& registers = context.uc_mcontext.gregs;
  if (memcmp(reinterpret_cast<const void*>(registers[REG_RIP]), kSyscall, sizeof kSyscall) != 0) return;
  registers[REG_RAX] = -EINTR;
  registers[REG_RIP] += sizeof kSyscall;
}

// Has the thread come to an operation, although the checker did not see that in time? What it has been
// granted may not be done yet.
bool hasMoved() {
  return channel->interruptedAt != wire::Channel::kAnywhere && channel->interruptedAt != channel->cursor;
}

// A thread that works for long, or waits for memory to change, has not called anything; it goes on where it
// is when it gets its turn.
void letOthersRun(ucontext_t& context) {
  if (!controlled() || channel->boxes[self].state != wire::Mailbox::kRunning || deferSlice()) return;
  if (isAdopting() || hasMoved()) {
    channel->interrupt = 0;
    return;
  }
  NotReceiving meanwhile;
  const Call call = callAgain(context);
  if (call == Call::Unknown) {
    snapshot(&context);
    channel->interrupt = wire::Channel::kCannotBe;
    channel->checker.ring();
    restForGood();
  }
  channel->interrupt = 0;
  leaveSignalStack();
  announce({.name = "time.slice", .signalContext = &context});
  returnToSignalStack();
  const Delivered handled = deliverSignals(From::Anywhere);
  const bool endsCall = handled.endsCalls || (handled.any && call == Call::Again);
  if (endsCall || endsInKernel()) returnFromCall(context);
}

void onProbe(int, siginfo_t*, void* context) {
  int before = errno;
  if (channel != nullptr && channel->interrupt != 0) {
    letOthersRun(*static_cast<ucontext_t*>(context));
  } else if (channel != nullptr) {
    snapshot(context);
    channel->checker.ring();
  }
  errno = before;
}

// A handler may let other fibers run, which can be interrupted as well.
void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (useFibers ? SA_NODEFER : 0) | flags;
  sigaction(signal, &action, nullptr);
}

void recordAssertion(const char* what, const char* file, unsigned line, const char* function) {
  stopIfLast();
  if (channel == nullptr || channel->ending.kind != Ending::kNone) return;
  Ending& ending = channel->ending;
  ending.kind = Ending::kAssertion;
  ending.thread = self;
  ending.signal = SIGABRT;
  snprintf(ending.text, sizeof ending.text, "%s at %s:%u in %s", what, file, line,
           function == nullptr ? "?" : function);
  snapshot(nullptr);
}

}  // namespace

void watchForCrashes() {
  for (int signal : kCrashes) handle(signal, onCrash, 0);
}

void listenForProbes() {
  handle(wire::kProbeSignal, onProbe, SA_RESTART);
}

void useSignalStack(void* stack, unsigned long size) {
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = size;
  sigaltstack(&alternate, nullptr);
}

}  // namespace mcmini

MCMINI_EXPORT void __assert_fail(const char* what, const char* file, unsigned line,
                                 const char* function) noexcept {
  mcmini::recordAssertion(what, file, line, function);
  mcmini::real::__assert_fail(what, file, line, function);
  __builtin_unreachable();
}

MCMINI_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line,
                                        const char* function) noexcept {
  mcmini::recordAssertion(strerror(error), file, line, function);
  mcmini::real::__assert_perror_fail(error, file, line, function);
  __builtin_unreachable();
}
