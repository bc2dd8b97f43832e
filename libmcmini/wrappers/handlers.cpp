#include "libmcmini/wrappers/handlers.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libmcmini/caller.h"
#include "libmcmini/gate.h"
#include "libmcmini/large.h"
#include "libmcmini/raw_syscall.h"
#include "libmcmini/real.h"

MCMINI_WRAPS(sigaction)

namespace mcmini {

namespace {

// Not in thread-local memory, of which one byte more costs each thread a page.
struct OfThread {
  bool receives;
  bool hasInherited;    // a mask, and has more blocked until its first turn
  uint32_t ran;         // handlers, so far
  uint32_t endedCalls;  // and those of them that would end a call
  uint64_t inherited;   // as the program knows it
};
MCMINI_LARGE OfThread threads[wire::kMaxThreads];

uint64_t handled;  // by number, less 1, as the kernel has sets of signals
MCMINI_LARGE struct sigaction handlers[wire::kProbeSignal];

uint64_t bitOf(int number) {
  return uint64_t{1} << (number - 1);
}

// The thread itself causes them, and cannot go on before they are handled.
constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

bool isCrash(int number) {
  for (int crash : kCrashes)
    if (crash == number) return true;
  return false;
}

constexpr int kOnce = static_cast<int>(SA_RESETHAND);

bool isFunction(sighandler_t handler) {
  return handler != SIG_DFL && handler != SIG_IGN;
}

// Written by the thread that has the turn, and by others for themselves when a signal wakes them.
struct Arrival {
  enum State : uint32_t { kFree, kFilling, kThere };
  State state;
  uint32_t thread;
  uint32_t order;
  From from;
  siginfo_t info;
};
constexpr uint32_t kArrivals = 64;  // more are lost, as in the kernel if it has too many
MCMINI_LARGE Arrival arrivals[kArrivals];
uint32_t lastArrival;

bool isFor(const Arrival& arrival, uint32_t thread) {
  return __atomic_load_n(&arrival.state, __ATOMIC_ACQUIRE) == Arrival::kThere && arrival.thread == thread;
}

bool isKept(uint32_t thread, int number) {
  for (const Arrival& arrival : arrivals)
    if (isFor(arrival, thread) && arrival.info.si_signo == number) return true;
  return false;
}

// Several signals of one number are one, unless they are meant to be queued.
void keep(uint32_t thread, const siginfo_t& info, From from) {
  channel->signals.handled = 1;
  if (info.si_signo < SIGRTMIN && isKept(thread, info.si_signo)) return;
  for (Arrival& arrival : arrivals) {
    Arrival::State free = Arrival::kFree;
    if (!__atomic_compare_exchange_n(&arrival.state, &free, Arrival::kFilling, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    arrival.thread = thread;
    arrival.order = __atomic_add_fetch(&lastArrival, 1, __ATOMIC_RELAXED);
    arrival.from = from;
    arrival.info = info;
    __atomic_store_n(&arrival.state, Arrival::kThere, __ATOMIC_RELEASE);
    return;
  }
}

Arrival* firstFor(uint32_t thread, From from) {
  if (__atomic_load_n(&lastArrival, __ATOMIC_RELAXED) == 0) return nullptr;
  Arrival* first = nullptr;
  for (Arrival& arrival : arrivals) {
    if (!isFor(arrival, thread) || (from == From::Threads && arrival.from != From::Threads)) continue;
    if (first == nullptr || arrival.order < first->order) first = &arrival;
  }
  return first;
}

// To itself, as it came: if the program has blocked it meanwhile, it waits in the kernel.
void sendAgain(Arrival& arrival) {
  siginfo_t info = arrival.info;
  __atomic_store_n(&arrival.state, Arrival::kFree, __ATOMIC_RELEASE);
  rawSyscall(SYS_rt_tgsigqueueinfo, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), info.si_signo,
             reinterpret_cast<long>(&info));
}

From originOf(const siginfo_t& info) {
  bool isSent = info.si_code == SI_USER || info.si_code == SI_TKILL || info.si_code == SI_QUEUE;
  return isSent && info.si_pid == rawSyscall(SYS_getpid) ? From::Threads : From::Anywhere;
}

void call(const struct sigaction& action, int number, siginfo_t* info, void* context) {
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
}

void restoreUsual(int number) {
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  setHandler(number, &usual, nullptr);
}

// A handler may leave by a jump; until the thread's next operation it receives nothing then.
void onSignal(int number, siginfo_t* info, void* context) {
  if (controlled() && !threads[self].receives) return keep(self, *info, originOf(*info));
  struct sigaction action = handlers[number];
  if (!isFunction(action.sa_handler)) return;
  if ((action.sa_flags & kOnce) != 0) restoreUsual(number);
  if (!controlled()) return call(action, number, info, context);
  OfThread& mine = threads[self];
  ++mine.ran;
  if ((action.sa_flags & SA_RESTART) == 0) ++mine.endedCalls;
  Caller before = caller;
  caller = {nullptr, ""};
  mine.receives = false;
  call(action, number, info, context);
  mine.receives = true;
  caller = before;
}

// One that the program wants to happen once only may have to be sent twice.
struct sigaction asInstalled(int number, const struct sigaction& action) {
  struct sigaction installed = action;
  sigdelset(&installed.sa_mask, wire::kProbeSignal);
  if (isCrash(number) || !isFunction(action.sa_handler)) return installed;
  installed.sa_sigaction = onSignal;
  installed.sa_flags = (action.sa_flags | SA_SIGINFO) & ~kOnce;
  return installed;
}

bool isOurs(sighandler_t handler) {
  struct sigaction action;
  action.sa_handler = handler;
  return action.sa_sigaction == onSignal;
}

uint64_t changeMask(int how, uint64_t set) {
  uint64_t before = 0;
  rawSyscall(SYS_rt_sigprocmask, how, reinterpret_cast<long>(&set), reinterpret_cast<long>(&before),
             sizeof set);
  return before;
}

uint64_t withoutCrashes(uint64_t set) {
  for (int crash : kCrashes) set &= ~bitOf(crash);
  return set;
}

}  // namespace

bool hasHandler(int number) {
  return (handled & bitOf(number)) != 0;
}

int setHandler(int number, const struct sigaction* action, struct sigaction* before) {
  if (number <= 0 || number >= wire::kProbeSignal) return real::sigaction(number, action, before);
  const struct sigaction was = handlers[number];
  struct sigaction installed;
  if (action != nullptr) {
    installed = asInstalled(number, *action);
    handlers[number] = *action;
  }
  struct sigaction found;
  if (int result = real::sigaction(number, action == nullptr ? nullptr : &installed, &found); result != 0) {
    handlers[number] = was;
    return result;
  }
  bool isKnown = isOurs(found.sa_handler) || found.sa_handler == was.sa_handler;
  if (before != nullptr) *before = isKnown && hasHandler(number) ? was : found;
  if (action == nullptr) return 0;
  handled &= ~bitOf(number);
  if (isFunction(action->sa_handler)) handled |= bitOf(number);
  return 0;
}

sighandler_t setHandlerBy(sighandler_t (*set)(int, sighandler_t), int number, sighandler_t handler) {
  if (number <= 0 || number >= wire::kProbeSignal) return set(number, handler);
  const sighandler_t was = handlers[number].sa_handler;
  const sighandler_t before = set(number, handler);
  struct sigaction now;
  if (before == SIG_ERR || real::sigaction(number, nullptr, &now) != 0) return before;
  if (!isOurs(now.sa_handler)) setHandler(number, &now, nullptr);
  return isOurs(before) ? was : before;
}

void setEndsCalls(int number, bool ends) {
  if (number <= 0 || number >= wire::kProbeSignal) return;
  int& flags = handlers[number].sa_flags;
  flags = ends ? flags & ~SA_RESTART : flags | SA_RESTART;
}

bool keepFor(uint32_t thread, int number, int code, sigval value) {
  if (!controlled() || thread == kUncontrolled || thread == self) return false;
  if (number <= 0 || number >= wire::kProbeSignal || isCrash(number) || !hasHandler(number)) return false;
  if (channel->boxes[thread].state != wire::Mailbox::kWaiting) return false;
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = code;
  info.si_pid = static_cast<pid_t>(rawSyscall(SYS_getpid));
  info.si_uid = getuid();
  info.si_value = value;
  keep(thread, info, From::Threads);
  return true;
}

Delivered deliverSignals(From from) {
  if (channel->signals.handled == 0) return {};
  Arrival* next = firstFor(self, from);
  if (next == nullptr) return {};
  OfThread& mine = threads[self];
  const OfThread before = mine;
  mine.receives = true;
  for (; next != nullptr; next = firstFor(self, from)) sendAgain(*next);
  mine.receives = before.receives;
  return {mine.ran != before.ran, mine.endedCalls != before.endedCalls};
}

// The last handler may be taken away while it lives.
Receiving::Receiving(From from) : changes_(handled != 0 && controlled()) {
  if (!changes_) return;
  before_ = threads[self].receives;
  threads[self].receives = true;
  deliverSignals(from);
}

Receiving::~Receiving() {
  if (changes_ && controlled()) threads[self].receives = before_;
}

NotReceiving::NotReceiving() {
  if (handled == 0) return;
  before_ = threads[self].receives;
  threads[self].receives = false;
}

NotReceiving::~NotReceiving() {
  if (before_) threads[self].receives = true;
}

CreatingThread::CreatingThread(uint32_t thread, const sigset_t* given) : handled_(withoutCrashes(handled)) {
  if (handled_ == 0) return;
  before_ = changeMask(SIG_BLOCK, handled_);
  threads[thread].hasInherited = true;
  threads[thread].inherited = before_;
  if (given != nullptr) memcpy(&threads[thread].inherited, given, sizeof before_);
}

CreatingThread::~CreatingThread() {
  if (handled_ != 0) changeMask(SIG_SETMASK, before_);
}

void beginReceiving() {
  if (handled == 0) return;
  if (threads[self].hasInherited) changeMask(SIG_SETMASK, threads[self].inherited);
  deliverSignals(From::Threads);
}

void endReceiving() {
  if (handled != 0) changeMask(SIG_BLOCK, withoutCrashes(handled));
}

}  // namespace mcmini
