// One signal is the checker's: it asks a thread where it is, and to let others run. A program that blocks all
// signals, or handles that one, is told that it does, and is asked all the same.
//
// The handlers of all others run when a signal comes. If another thread or a clock sends it, nobody has
// chosen that time, and the checker is told so.

#include "libmcmini/wrappers/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

#include "libmcmini/caller.h"
#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/thread_number.h"

MCMINI_WRAPS(sigprocmask)
MCMINI_WRAPS(pthread_sigmask)
MCMINI_WRAPS(pthread_attr_setsigmask_np)
MCMINI_WRAPS(sigaction)
MCMINI_WRAPS(signal)
MCMINI_WRAPS(signalfd)
MCMINI_WRAPS(pthread_kill)
MCMINI_WRAPS(pthread_sigqueue)
MCMINI_WRAPS(alarm)
MCMINI_WRAPS(ualarm)
MCMINI_WRAPS(setitimer)

namespace mcmini {

namespace {

bool blocksProbe[wire::kMaxThreads];  // as far as the program knows; __thread would cost a page for each

struct sigaction pretended;                  // what the program wants to happen at the checker's signal
bool blocksProbeIn[wire::kProbeSignal + 1];  // while the handler of that signal runs

bool hasProbe(const sigset_t& set) {
  return sigismember(&set, wire::kProbeSignal) == 1;
}

bool isBlockedAfter(int how, bool named) {
  if (how == SIG_BLOCK) return blocksProbe[self] || named;
  if (how == SIG_UNBLOCK) return blocksProbe[self] && !named;
  return named;
}

template <class Change>
int changeMask(Change& change, int how, const sigset_t* set, sigset_t* before) {
  if (!controlled()) return change(how, set, before);
  bool was = blocksProbe[self];
  bool now = set == nullptr ? was : isBlockedAfter(how, hasProbe(*set));
  int result = change(how, WithoutProbe(set).get(), before);
  if (result != 0) return result;
  if (before != nullptr && was) sigaddset(before, wire::kProbeSignal);
  blocksProbe[self] = now;
  return 0;
}

int pretend(const struct sigaction* action, struct sigaction* before) {
  struct sigaction was = pretended;
  if (action != nullptr) pretended = *action;
  if (before != nullptr) *before = was;
  return 0;
}

bool isHandler(sighandler_t handler) {
  return handler != SIG_DFL && handler != SIG_IGN;
}

bool hasHandler(int number) {
  struct sigaction action;
  return real::sigaction(number, nullptr, &action) == 0 && isHandler(action.sa_handler);
}

// Not in the kernel, where a signal wakes it.
bool waitsForTurn(uint32_t thread) {
  constexpr uint64_t kSlice = wire::hashName("time.slice");
  if (thread == kUncontrolled) return false;
  const wire::Mailbox& box = channel->boxes[thread];
  return box.state == wire::Mailbox::kWaiting && box.op.name != kSlice;
}

// A signal that has been sent already may come yet.
void tellOfHandler(int number, sighandler_t handler) {
  if (isHandler(handler) && (channel->signals.sent >> number & 1) != 0) channel->signals.handled = 1;
}

int handle(int number, const struct sigaction* action, struct sigaction* before) {
  struct sigaction without;
  if (action != nullptr) {
    without = *action;
    sigdelset(&without.sa_mask, wire::kProbeSignal);
  }
  bool now = action != nullptr && hasProbe(action->sa_mask);
  int result = real::sigaction(number, action == nullptr ? nullptr : &without, before);
  if (result != 0) return result;
  if (before != nullptr && blocksProbeIn[number]) sigaddset(&before->sa_mask, wire::kProbeSignal);
  if (action != nullptr) blocksProbeIn[number] = now;
  if (action != nullptr) tellOfHandler(number, action->sa_handler);
  return 0;
}

uint64_t undelivered[wire::kMaxThreads];  // by number

int signalOf(__itimer_which_t clock) {
  return clock == ITIMER_REAL ? SIGALRM : clock == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF;
}

}  // namespace

void tellOfSignal(int number) {
  if (!controlled() || number <= 0 || number >= wire::kProbeSignal) return;
  channel->signals.sent |= uint64_t{1} << number;
  if (hasHandler(number)) channel->signals.handled = 1;
}

void deliverSignals() {
  if (channel->signals.handled == 0) return;
  uint64_t signals = undelivered[self];
  if (signals == 0) return;
  undelivered[self] = 0;
  Caller before = caller;
  caller = {nullptr, ""};
  for (int number = 1; number < wire::kProbeSignal; ++number)
    if ((signals >> number & 1) != 0) raise(number);
  caller = before;
}

bool blocks(int number) {
  sigset_t mask;
  return real::pthread_sigmask(SIG_BLOCK, nullptr, &mask) != 0 || sigismember(&mask, number) == 1;
}

void inheritMask(uint32_t thread) {
  if (blocksProbe[thread] != blocksProbe[self]) blocksProbe[thread] = blocksProbe[self];
}

}  // namespace mcmini

using namespace mcmini;

MCMINI_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  return changeMask(real::sigprocmask, how, set, before);
}

MCMINI_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  return changeMask(real::pthread_sigmask, how, set, before);
}

MCMINI_EXPORT int pthread_attr_setsigmask_np(pthread_attr_t* attributes, const sigset_t* set) {
  return real::pthread_attr_setsigmask_np(attributes, WithoutProbe(set).get());
}

MCMINI_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  if (!controlled()) return real::sigaction(number, action, before);
  return number == wire::kProbeSignal ? pretend(action, before) : handle(number, action, before);
}

MCMINI_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!controlled()) return real::signal(number, handler);
  if (number != wire::kProbeSignal) {
    sighandler_t replaced = real::signal(number, handler);
    if (replaced != SIG_ERR) tellOfHandler(number, handler);
    return replaced;
  }
  struct sigaction action = {};
  action.sa_handler = handler;
  struct sigaction before;
  pretend(&action, &before);
  return before.sa_handler;
}

MCMINI_EXPORT int signalfd(int file, const sigset_t* set, int flags) noexcept {
  return real::signalfd(file, WithoutProbe(set).get(), flags);
}

MCMINI_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  if (pthread_equal(thread, pthread_self()) != 0) return real::pthread_kill(thread, number);
  tellOfSignal(number);
  if (!controlled() || channel->signals.handled == 0) return real::pthread_kill(thread, number);
  uint32_t other = numberOf(thread);
  if (!waitsForTurn(other) || !hasHandler(number)) return real::pthread_kill(thread, number);
  undelivered[other] |= uint64_t{1} << number;
  return 0;
}

MCMINI_EXPORT int pthread_sigqueue(pthread_t thread, int number, const sigval value) noexcept {
  if (pthread_equal(thread, pthread_self()) == 0) tellOfSignal(number);
  return real::pthread_sigqueue(thread, number, value);
}

MCMINI_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (seconds != 0) tellOfSignal(SIGALRM);
  return real::alarm(seconds);
}

MCMINI_EXPORT useconds_t ualarm(useconds_t time, useconds_t interval) noexcept {
  if (time != 0) tellOfSignal(SIGALRM);
  return real::ualarm(time, interval);
}

MCMINI_EXPORT int setitimer(__itimer_which_t clock, const itimerval* wanted, itimerval* before) noexcept {
  if (wanted != nullptr && timerisset(&wanted->it_value)) tellOfSignal(signalOf(clock));
  return real::setitimer(clock, wanted, before);
}
