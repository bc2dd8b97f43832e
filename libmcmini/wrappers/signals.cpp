// One signal is the checker's: it asks a thread where it is, and to let others run. A program that blocks all
// signals, or handles that one, is told that it does, and is asked all the same.
//
// If another thread or a clock sends a signal that the program handles, nobody has chosen the time of that,
// and the checker is told so.

#include "libmcmini/wrappers/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

#include "libmcmini/gate.h"
#include "libmcmini/real.h"
#include "libmcmini/thread_number.h"
#include "libmcmini/wrappers/handlers.h"

// Programs may call what nobody should any more.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

MCMINI_WRAPS(sigprocmask)
MCMINI_WRAPS(pthread_sigmask)
MCMINI_WRAPS(pthread_attr_setsigmask_np)
MCMINI_WRAPS(sigaction)
MCMINI_WRAPS(signal)
MCMINI_WRAPS(__sysv_signal)
MCMINI_WRAPS(sigset)
MCMINI_WRAPS(sigrelse)
MCMINI_WRAPS(siginterrupt)
MCMINI_WRAPS(raise)
MCMINI_WRAPS(signalfd)
MCMINI_WRAPS(pthread_kill)
MCMINI_WRAPS(pthread_sigqueue)
MCMINI_WRAPS(alarm)
MCMINI_WRAPS(ualarm)
MCMINI_WRAPS(setitimer)

namespace mcmini {

namespace {

bool blocksProbe[wire::kMaxThreads];  // as far as the program knows; __thread would cost a page for each

struct sigaction pretended;  // what the program wants to happen at the checker's signal

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
  Receiving unblocked(From::Threads);
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

sighandler_t pretend(sighandler_t handler) {
  struct sigaction action = {};
  action.sa_handler = handler;
  struct sigaction before;
  pretend(&action, &before);
  return before.sa_handler;
}

bool wasSent(int number) {
  return number > 0 && number < wire::kProbeSignal && (channel->signals.sent >> number & 1) != 0;
}

// A signal that has been sent already may come yet.
void tellOfHandler(int number) {
  if (wasSent(number) && hasHandler(number)) channel->signals.handled = 1;
}

sighandler_t handleBy(sighandler_t (*set)(int, sighandler_t), int number, sighandler_t handler) {
  if (!controlled()) return set(number, handler);
  if (number == wire::kProbeSignal) return pretend(handler);
  Receiving now(From::Threads);
  sighandler_t before = setHandlerBy(set, number, handler);
  tellOfHandler(number);
  return before;
}

int signalOf(__itimer_which_t clock) {
  return clock == ITIMER_REAL ? SIGALRM : clock == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF;
}

}  // namespace

void tellOfSignal(int number) {
  if (!controlled() || number <= 0 || number >= wire::kProbeSignal) return;
  channel->signals.sent |= uint64_t{1} << number;
  if (hasHandler(number)) channel->signals.handled = 1;
}

bool blocks(int number) {
  sigset_t mask;
  return real::pthread_sigmask(SIG_BLOCK, nullptr, &mask) != 0 || sigismember(&mask, number) == 1;
}

void inheritProbe(uint32_t thread) {
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
  if (number == wire::kProbeSignal) return pretend(action, before);
  int result = setHandler(number, action, before);
  if (result == 0) tellOfHandler(number);
  return result;
}

MCMINI_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  return handleBy(real::signal.get(), number, handler);
}

MCMINI_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  return handleBy(real::signal.get(), number, handler);
}

// What signal() is in programs that are compiled for POSIX only.
MCMINI_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return handleBy(real::__sysv_signal.get(), number, handler);
}

MCMINI_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return handleBy(real::__sysv_signal.get(), number, handler);
}

MCMINI_EXPORT sighandler_t sigset(int number, sighandler_t handler) noexcept {
  return handleBy(real::sigset.get(), number, handler);
}

MCMINI_EXPORT int sigrelse(int number) noexcept {
  Receiving unblocked(From::Threads);
  return real::sigrelse(number);
}

MCMINI_EXPORT int siginterrupt(int number, int ends) noexcept {
  int result = real::siginterrupt(number, ends);
  if (result == 0 && controlled()) setEndsCalls(number, ends != 0);
  return result;
}

MCMINI_EXPORT int signalfd(int file, const sigset_t* set, int flags) noexcept {
  return real::signalfd(file, WithoutProbe(set).get(), flags);
}

// A thread that sends a signal to itself has handled it when the call returns.
MCMINI_EXPORT int raise(int number) noexcept {
  Receiving now(From::Threads);
  return real::raise(number);
}

MCMINI_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  if (!controlled()) return real::pthread_kill(thread, number);
  if (pthread_equal(thread, pthread_self()) == 0) {
    tellOfSignal(number);
    if (keepFor(numberOf(thread), number, SI_TKILL, {})) return 0;
  }
  Receiving now(From::Threads);
  return real::pthread_kill(thread, number);
}

MCMINI_EXPORT int pthread_sigqueue(pthread_t thread, int number, const sigval value) noexcept {
  if (!controlled()) return real::pthread_sigqueue(thread, number, value);
  if (pthread_equal(thread, pthread_self()) == 0) {
    tellOfSignal(number);
    if (keepFor(numberOf(thread), number, SI_QUEUE, value)) return 0;
  }
  Receiving now(From::Threads);
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
