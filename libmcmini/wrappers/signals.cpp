// One signal is the checker's: it asks a thread where it is, and to let others run. A program that blocks all
// signals, or handles that one, is told that it does, and is asked all the same.

#include "libmcmini/wrappers/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>

#include "libmcmini/gate.h"
#include "libmcmini/real.h"

MCMINI_WRAPS(sigprocmask)
MCMINI_WRAPS(pthread_sigmask)
MCMINI_WRAPS(pthread_attr_setsigmask_np)
MCMINI_WRAPS(sigaction)
MCMINI_WRAPS(signal)
MCMINI_WRAPS(signalfd)

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
  return 0;
}

}  // namespace

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
  if (!controlled() || number != wire::kProbeSignal) return real::signal(number, handler);
  struct sigaction action = {};
  action.sa_handler = handler;
  struct sigaction before;
  pretend(&action, &before);
  return before.sa_handler;
}

MCMINI_EXPORT int signalfd(int file, const sigset_t* set, int flags) noexcept {
  return real::signalfd(file, WithoutProbe(set).get(), flags);
}
