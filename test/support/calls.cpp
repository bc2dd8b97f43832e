#include "test/support/calls.hpp"

#include <cerrno>

#include "core/model/wakeup_policy.hpp"

namespace mcmini::calls {

namespace {

using Ahead = Instruction::Ahead;
using Arguments = std::array<std::uint64_t, 3>;

constexpr Result kOnceDone = 2;

Instruction on(std::uint64_t object, std::string_view name, Arguments arguments = {},
               Ahead ahead = Ahead::Never) {
  Instruction instruction;
  instruction.name = name;
  instruction.object = object;
  instruction.argument = arguments[0];
  instruction.further = {arguments[1], arguments[2]};
  instruction.ahead = ahead;
  return instruction;
}

Instruction following(std::size_t began, Instruction instruction) {
  instruction.callBegan = began;
  return instruction;
}

Script taking(Instruction instruction) {
  instruction.takes = true;
  instruction.ahead = Ahead::IfFree;
  return instruction;
}

Script releasing(Instruction instruction) {
  instruction.releases = true;
  instruction.ahead = Ahead::Always;
  return instruction;
}

/// Only of plain mutexes does the target know without the model what it may do.
Instruction onMutex(const Mutex& mutex, std::string_view name) {
  return on(mutex.address, name, {static_cast<std::uint64_t>(mutex.type), mutex.robust ? 1U : 0U});
}

Script takingMutex(const Mutex& mutex, std::string_view name) {
  Instruction instruction = onMutex(mutex, name);
  return mutex.isPlain() ? taking(instruction) : Script(instruction);
}

/// The second half of a call that has joined the queue of a mutex.
Script awaitTurn(const Mutex& mutex, std::size_t began) {
  Instruction acquire = onMutex(mutex, "mutex.acquire");
  acquire.takes = mutex.isPlain();
  return following(began, acquire);
}

Instruction onRwlock(const Rwlock& lock, std::string_view name, Ahead ahead = Ahead::Never) {
  return on(lock.address, name, {lock.prefersWriters ? 2U : lock.prefersNobody ? 1U : 0U}, ahead);
}

Script orTurn(const Rwlock& lock, std::size_t began, std::string_view turn) {
  return when(kQueued, following(began, onRwlock(lock, turn)));
}

/// A writer that readers let pass is seen before it waits.
Script waitAndWrite(const Rwlock& lock, std::string_view name) {
  if (!lock.prefersWriters) return {onRwlock(lock, name), orTurn(lock, 2, "rwlock.acquire_write")};
  return {onRwlock(lock, "rwlock.want_write", Ahead::Always), following(1, onRwlock(lock, name)),
          orTurn(lock, 3, "rwlock.acquire_write")};
}

Script onSemaphore(Semaphore semaphore, std::string_view name, std::uint64_t argument = 0,
                   Ahead ahead = Ahead::Never) {
  return on(semaphore.address, name, {semaphore.early, argument}, ahead);
}

Instruction onThread(Thread thread, std::string_view name, std::uint64_t argument = 0) {
  Instruction instruction = on(thread.number, name, {argument});
  instruction.ofChild = thread.isChild;
  return instruction;
}

}  // namespace

Script init(const Mutex& mutex) {
  Instruction instruction = onMutex(mutex, "mutex.init");
  instruction.ahead = Ahead::Always;
  return instruction;
}
Script lock(const Mutex& mutex) {
  return {takingMutex(mutex, "mutex.lock"), when(kQueued, awaitTurn(mutex, 2))};
}
Script trylock(const Mutex& mutex) {
  return takingMutex(mutex, "mutex.trylock");
}
Script timedlock(const Mutex& mutex) {
  return takingMutex(mutex, "mutex.timedlock");
}
Script unlock(const Mutex& mutex) {
  Instruction instruction = onMutex(mutex, "mutex.unlock");
  return mutex.isPlain() ? releasing(instruction) : Script(instruction);
}
Script makeConsistent(const Mutex& mutex) {
  return onMutex(mutex, "mutex.consistent");
}
Script destroy(const Mutex& mutex) {
  return onMutex(mutex, "mutex.destroy");
}

Script init(Cond cond) {
  return on(cond.address, "cond.init", {}, Ahead::Always);
}

Script wait(Cond cond, const Mutex& mutex, const Wait& how) {
  std::uint64_t flags = how.cancelDisabled ? 1U : 0U;
  Arguments arguments{mutex.address, flags};
  Instruction enqueue = on(cond.address, "cond.enqueue", arguments, Ahead::Always);
  Instruction wake = on(cond.address, how.timed ? "cond.timedwake" : "cond.wake", arguments);
  enqueue.lock = wake.lock = mutex.address;
  enqueue.releases = wake.takesAnyway = mutex.isPlain();
  Script script{enqueue, following(1, wake)};
  auto turn = [&] { return awaitTurn(mutex, script.code().size() + 1); };
  for (Result woken : {Result{0}, Result{ETIMEDOUT}, Result{kSpurious}})
    script += when(kQueued | woken, turn());
  script += when(kQueued | ECANCELED, {turn(), how.cleanup, leave()});
  script += when(ECANCELED, {how.cleanup, leave()});
  return script;
}

Script signal(Cond cond) {
  return on(cond.address, "cond.signal", {}, Ahead::Always);
}
Script broadcast(Cond cond) {
  return on(cond.address, "cond.broadcast", {}, Ahead::Always);
}
Script destroy(Cond cond) {
  return on(cond.address, "cond.destroy", {}, Ahead::Always);
}

Script init(const Rwlock& lock) {
  return on(lock.address, "rwlock.init", {}, Ahead::Always);
}
Script rdlock(const Rwlock& lock) {
  return {onRwlock(lock, "rwlock.rdlock"), orTurn(lock, 2, "rwlock.acquire_read")};
}
Script tryrdlock(const Rwlock& lock) {
  return onRwlock(lock, "rwlock.tryrdlock");
}
Script timedrdlock(const Rwlock& lock) {
  return onRwlock(lock, "rwlock.timedrdlock");
}
Script wrlock(const Rwlock& lock) {
  return waitAndWrite(lock, "rwlock.wrlock");
}
Script trywrlock(const Rwlock& lock) {
  return onRwlock(lock, "rwlock.trywrlock");
}
Script timedwrlock(const Rwlock& lock) {
  return waitAndWrite(lock, "rwlock.timedwrlock");
}
Script unlock(const Rwlock& lock) {
  return onRwlock(lock, "rwlock.unlock", Ahead::Always);
}
Script destroy(const Rwlock& lock) {
  return onRwlock(lock, "rwlock.destroy", Ahead::Always);
}

Script init(Barrier barrier, std::uint64_t count) {
  return on(barrier.address, "barrier.init", {barrier.early, count}, Ahead::Always);
}
Script wait(Barrier barrier) {
  return {on(barrier.address, "barrier.arrive", {barrier.early}, Ahead::Always),
          following(1, on(barrier.address, "barrier.leave", {barrier.early}))};
}
Script destroy(Barrier barrier) {
  return on(barrier.address, "barrier.destroy", {barrier.early});
}

Script once(Once control, const Script& routine, bool abandons) {
  auto ending = [&](std::size_t began) {
    Instruction end = on(control.address, "once.end", {abandons ? 0U : 1U}, Ahead::Always);
    return Script{following(began, end), abandons ? leave() : store(control.address, kOnceDone)};
  };
  auto isNew = [&](const Script& then) { return whenHolds(control.address, 0, then); };
  std::size_t ends = 2 + routine.code().size();  // after the beginning, a skip and the routine
  std::size_t again = ends + 4;                  // after the rest of that, and two skips more
  Script anew{following(again, on(control.address, "once.again")), isNew(routine),
              ending(again + 2 + routine.code().size())};
  return {on(control.address, "once.begin"), when(1, {routine, ending(ends)}, isNew(anew))};
}

Script reset(Once control) {
  return store(control.address, 0);
}

Script comeTo(Static variable, const Script& initialization, bool fails) {
  Instruction end = on(variable.guard, "guard.release", {fails ? 0U : 1U}, Ahead::Always);
  std::size_t ends = 2 + initialization.code().size();  // after coming to it, a skip and the initialization
  return {on(variable.guard, "guard.acquire"), when(1, {initialization, following(ends, end)})};
}

Script init(Spin lock) {
  return on(lock.address, "spin.init", {}, Ahead::Always);
}
Script lock(Spin lock) {
  return taking(on(lock.address, "spin.lock"));
}
Script trylock(Spin lock) {
  return taking(on(lock.address, "spin.trylock"));
}
Script unlock(Spin lock) {
  return releasing(on(lock.address, "spin.unlock"));
}
Script destroy(Spin lock) {
  return on(lock.address, "spin.destroy", {}, Ahead::Always);
}

Script init(Semaphore semaphore, std::uint64_t value) {
  return onSemaphore(semaphore, "semaphore.init", value, Ahead::Always);
}
Script wait(Semaphore semaphore) {
  Instruction turn = on(semaphore.address, "semaphore.acquire", {semaphore.early});
  return {onSemaphore(semaphore, "semaphore.wait"), when(kQueued, following(2, turn)),
          when(ECANCELED, leave())};
}
Script trywait(Semaphore semaphore) {
  return onSemaphore(semaphore, "semaphore.trywait");
}
Script timedwait(Semaphore semaphore) {
  return {onSemaphore(semaphore, "semaphore.timedwait"), when(ECANCELED, leave())};
}
Script post(Semaphore semaphore) {
  return onSemaphore(semaphore, "semaphore.post", 0, Ahead::Always);
}
Script getvalue(Semaphore semaphore) {
  return onSemaphore(semaphore, "semaphore.getvalue");
}
Script destroy(Semaphore semaphore) {
  return onSemaphore(semaphore, "semaphore.destroy", 0, Ahead::Always);
}

Script open(SemaphoreName name, Opening how, std::uint64_t value,
            const std::function<Script(Semaphore)>& then) {
  constexpr std::uint64_t kCreates = std::uint64_t{1} << 32;
  constexpr std::uint64_t kIsExclusive = std::uint64_t{1} << 33;
  std::uint64_t flags = how == Opening::Existing ? 0 : value | kCreates;
  if (how == Opening::Exclusive) flags |= kIsExclusive;
  Script second = when(1, then(name.place(1)));
  return {on(name.address, "semaphore.open", {flags}), when(0, then(name.place(0)), second)};
}
Script unlink(SemaphoreName name) {
  return on(name.address, "semaphore.unlink");
}

Script wait(Futex futex, bool timed, std::uint32_t mask, Futex other) {
  auto leaveAt = [&](std::size_t began, Futex where) {
    return following(began, on(where.address, "futex.leave", {timed ? 1U : 0U}));
  };
  Script script{on(futex.address, "futex.compare"),
                following(1, on(futex.address, "futex.enqueue", {mask}, Ahead::Always)), leaveAt(2, futex)};
  if (other.address != 0) script += when(static_cast<Result>(other.address), leaveAt(4, other));
  return script;
}

Script waitInVain(Futex futex) {
  return {on(futex.address, "futex.compare"),
          following(1, on(futex.address, "futex.differs", {}, Ahead::Always))};
}

Script wake(Futex futex, std::uint64_t count, std::uint32_t mask) {
  return on(futex.address, "futex.wake", {count, mask});
}

Script requeue(Futex futex, Futex to, std::uint32_t toWake, std::uint32_t toMove, bool compares) {
  std::uint64_t counts = std::uint64_t{toMove} << 32 | toWake;
  Instruction move = on(futex.address, "futex.requeue", {to.address, counts, compares ? 1U : 0U});
  if (!compares) return move;
  return {on(futex.address, "futex.look"), following(1, move)};
}

Script create(std::size_t place, bool detached) {
  Instruction instruction = on(0, "thread.create", {place, detached ? 1U : 0U});
  instruction.creates = true;
  return instruction;
}
Script join(Thread thread, bool cancelDisabled, const Script& cleanup) {
  return {onThread(thread, "thread.join", cancelDisabled ? 1 : 0), when(ECANCELED, {cleanup, leave()})};
}
Script tryjoin(Thread thread) {
  return onThread(thread, "thread.tryjoin");
}
Script timedjoin(Thread thread) {
  return {onThread(thread, "thread.timedjoin"), when(ECANCELED, leave())};
}
Script detach(Thread thread) {
  return onThread(thread, "thread.detach");
}
Script cancel(Thread thread) {
  return onThread(thread, "thread.cancel");
}
Script testcancel() {
  return {on(0, "thread.testcancel"), when(ECANCELED, leave())};
}
Script yield() {
  return on(0, "time.yield");
}

Script load(Atomic atomic) {
  return on(atomic.address, "atomic.load", {0, 0, atomic.size});
}
Script set(Atomic atomic, std::uint64_t value) {
  return on(atomic.address, "atomic.store", {value, 0, atomic.size});
}
Script setToLastAnd(Atomic atomic, std::uint64_t value) {
  Instruction instruction = on(atomic.address, "atomic.store", {value, 0, atomic.size});
  instruction.addsLast = true;
  return instruction;
}
Script exchange(Atomic atomic, std::uint64_t value) {
  return on(atomic.address, "atomic.rmw", {value, 0, atomic.size});
}
Script fetchAdd(Atomic atomic, std::uint64_t value) {
  return on(atomic.address, "atomic.rmw", {value, 0, atomic.size | 1 << 24});
}
Script compareAndSwap(Atomic atomic, std::uint64_t expected, std::uint64_t value) {
  return on(atomic.address, "atomic.cas", {value, expected, atomic.size});
}
Script fence() {
  return on(0, "atomic.fence");
}

}  // namespace mcmini::calls
