#include "test/support/random_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <random>

#include "test/support/calls.hpp"
#include "test/support/test_model.hpp"

namespace mcmini {

namespace {

using namespace calls;
using calls::create;

constexpr std::uint64_t kFlag = 'x';  // written by who has the mutex of the condition variable

class CallGenerator {
 public:
  CallGenerator(std::uint64_t seed, const std::vector<CallKind>& kinds) : random_(seed), kinds_(kinds) {
    workers_ = 2 + below<std::size_t>(2);
    mutexes_ = {Mutex{.address = 'm'}, anyMutex('n')};
    guard_ = below(3) == 0 ? anyMutex('k') : Mutex{.address = 'k'};
    rwlock_.prefersWriters = below(2) == 0;
    rwlock_.prefersNobody = seed % 3 == 0;
    barrierCount_ = workers_ - below<std::size_t>(2);
    if (below(3) == 0) barrier_.early = 3;
    if (below(4) == 0) semaphore_.early = 1 + below<std::uint64_t>(2);
    hasNames_ = below(4) == 0;
  }

  Program program() {
    Program program{{preparation()}, 0};
    for (std::size_t i = 1; i <= workers_; ++i) {
      program.threads[0] += create(i, has(CallKind::Thread) && below(6) == 0);
      program.threads.push_back(worker(i));
    }
    program.threads[0] += conclusion();
    if (!has(CallKind::Thread) && below(6) == 0) addGrandchild(program);
    return program;
  }

 private:
  template <class Number = int>
  Number below(Number bound) {
    return static_cast<Number>(random_() % static_cast<std::uint64_t>(bound));
  }
  template <class Item>
  const Item& anyOf(const std::vector<Item>& items) {
    return items[below(items.size())];
  }
  Script oneOf(const std::vector<Script>& scripts) { return anyOf(scripts); }
  Script maybe(int oneIn, const Script& script) { return below(oneIn) == 0 ? script : Script{}; }
  bool has(CallKind kind) const { return std::ranges::find(kinds_, kind) != kinds_.end(); }

  /// Do more threads come to the barrier than it counts, and does it have to learn that? Then all come to it
  /// in every run, first of all, so that what depends on what is the same in all runs.
  bool isCrowded() const { return barrierCount_ < workers_ && barrier_.early == 0; }

  Mutex anyMutex(std::uint64_t address) {
    bool robust = below(3) == 0;
    return {address, static_cast<MutexType>(below(3)), robust};
  }

  /// A worker creates another thread, first or last of all it does.
  void addGrandchild(Program& program) {
    std::size_t place = program.threads.size();
    program.threads.push_back(piece(0));
    Script& parent = program.threads[1 + below(workers_)];
    parent = below(2) == 0 ? Script{create(place), parent} : Script{parent, create(place)};
    parent += maybe(2, join({0, true}));
  }

  /// What main does before there are others.
  Script preparation() {
    Script script;
    if (has(CallKind::Barrier) && barrier_.early == 0) script += init(barrier_, barrierCount_);
    if (has(CallKind::Spin)) script += init(spin_);
    if (has(CallKind::Semaphore) && semaphore_.early == 0)
      script += init(semaphore_, below<std::uint64_t>(3));
    if (has(CallKind::Once)) script += maybe(4, {once(once_, {}), reset(once_)});
    return script;
  }

  /// What main does when it has created them.
  Script conclusion() {
    Script script;
    if (below(3) == 0) script += piece(0);
    if (!has(CallKind::Thread)) return script += ending();
    for (std::uint64_t i = 1; i <= workers_; ++i)
      if (below(2) == 0) script += threadCall(below(2) == 0 ? Thread{i} : Thread{i - 1, true});
    return script;
  }

  /// Things are destroyed when they are not used any more, or too early.
  Script ending() {
    Script script;
    std::size_t joined = below(3) == 0 ? workers_ : below(workers_);
    for (std::uint64_t i = 0; i < joined; ++i) script += join({i, true});
    if (joined == workers_ || below(6) == 0) script += destroyAny();
    int status = below(2);
    return script += maybe(8, status == 0 ? exitWith(0) : Script{runHandlers(), exitWith(status)});
  }

  Script destroyAny() {
    switch (anyOf(kinds_)) {
      case CallKind::Mutex: {
        const Mutex& mutex = anyOf(mutexes_);
        return {destroy(mutex), maybe(2, {init(mutex), locked(mutex, {})})};
      }
      case CallKind::Cond:
        return {destroy(cond_), maybe(2, init(cond_))};
      case CallKind::Rwlock:
        return {destroy(rwlock_), maybe(2, init(rwlock_))};
      case CallKind::Barrier:
        return isCrowded() ? Script{} : destroy(barrier_);
      case CallKind::Spin:
        return destroy(spin_);
      case CallKind::Semaphore:
        return destroy(semaphore_);
      default:
        return yield();
    }
  }

  Script worker(std::size_t number) {
    Script script;
    if (has(CallKind::Barrier) && isCrowded()) script += wait(barrier_);
    int length = 1 + below(workers_ > 2 ? 3 : 4);
    for (int i = 0; i < length; ++i) script += piece(number);
    return script;
  }

  /// What a program must not do.
  Script mistake(CallKind kind) {
    const Mutex& mutex = anyOf(mutexes_);
    switch (kind) {
      case CallKind::Mutex:
        return oneOf({unlock(mutex), lock(mutex), {lock(mutex), lock(mutex)}});
      case CallKind::Cond:
        return oneOf({wait(cond_, guard_, {}), locked(mutex, wait(cond_, mutex, {})), destroy(cond_)});
      case CallKind::Rwlock:
        return oneOf({unlock(rwlock_), {wrlock(rwlock_), rdlock(rwlock_)}, destroy(rwlock_)});
      case CallKind::Barrier:
        return isCrowded() ? Script{} : destroy(barrier_);
      case CallKind::Spin:
        return oneOf({unlock(spin_), {lock(spin_), lock(spin_)}, destroy(spin_)});
      case CallKind::Semaphore:
        return oneOf({destroy(semaphore_), init(semaphore_, 1)});
      default:
        return leave();
    }
  }

  Script piece(std::size_t number) {
    if (below(12) == 0) return mistake(anyOf(kinds_));
    switch (anyOf(kinds_)) {
      case CallKind::Mutex:
        return mutexPiece();
      case CallKind::Cond:
        return condPiece();
      case CallKind::Rwlock:
        return rwlockPiece();
      case CallKind::Barrier:
        return number == 0 ? Script{} : wait(barrier_);
      case CallKind::Once:
        return below(2) == 0 ? comeTo(static_, maybe(2, mutexPiece()), below(5) == 0)
                             : once(once_, maybe(2, mutexPiece()), below(5) == 0);
      case CallKind::Spin:
        return spinPiece();
      case CallKind::Semaphore:
        return semaphorePiece();
      case CallKind::Futex:
        return futexPiece();
      case CallKind::Thread:
        return number > 1 && below(2) == 0 ? threadCall({1 + below(number - 1)}) : testcancel();
      case CallKind::Atomic:
        return atomicPiece();
    }
    return {};
  }

  /// `body` by who has the mutex, and then gives it back.
  Script locked(const Mutex& mutex, const Script& body) {
    Script section{body, unlock(mutex)};
    Script repaired = mutex.robust ? when(EOWNERDEAD, maybe(2, makeConsistent(mutex))) : Script{};
    Script taken{repaired, section};
    return {lock(mutex), mutex.robust ? unless(ENOTRECOVERABLE, taken) : taken};
  }

  /// The same, if it can be had.
  Script attempted(const Mutex& mutex, const Script& attempt, const Script& body) {
    Script section{body, unlock(mutex)};
    Script repaired = mutex.robust ? when(EOWNERDEAD, {makeConsistent(mutex), section}) : Script{};
    return {attempt, when(0, section, repaired)};
  }

  Script mutexPiece() {
    const Mutex& mutex = anyOf(mutexes_);
    const Mutex& other = mutexes_[mutex.address == mutexes_[0].address ? 1 : 0];
    switch (below(7)) {
      case 0:
        return locked(mutex, locked(other, {}));
      case 1:
        return attempted(mutex, trylock(mutex), maybe(2, attempted(other, timedlock(other), {})));
      case 2:
        return attempted(mutex, timedlock(mutex), maybe(2, attempted(other, trylock(other), {})));
      case 3:
        return relocked(mutex);
      case 4:
        return mutex.isPlain() ? attempted(mutex, trylock(mutex), {}) : unlock(mutex);
      case 5:
        return mutex.robust ? Script{lock(mutex), leave()} : locked(mutex, {});
      default:
        return locked(mutex, maybe(3, locked(other, {})));
    }
  }

  /// A mutex that is locked by who has it.
  Script relocked(const Mutex& mutex) {
    if (mutex.type == MutexType::Recursive) return locked(mutex, attempted(mutex, trylock(mutex), {}));
    if (mutex.type == MutexType::ErrorCheck) return locked(mutex, maybe(2, lock(mutex)));
    return locked(mutex, trylock(mutex));
  }

  Script condPiece() {
    Wait how{.timed = below(4) == 0, .cancelDisabled = below(3) == 0, .cleanup = unlock(guard_)};
    Script waits = wait(cond_, guard_, how);
    Script wakes = below(2) == 0 ? signal(cond_) : broadcast(cond_);
    switch (below(6)) {
      case 0:
        return locked(guard_, waits);
      case 1:
        return locked(guard_, whenHolds(kFlag, 0, {waits, maybe(2, whenHolds(kFlag, 0, waits))}));
      case 2:
        return locked(guard_, {waits, maybe(2, when(ETIMEDOUT, signal(cond_)))});
      case 3:
        return locked(guard_, {store(kFlag, 1), wakes});
      case 4:
        return {locked(guard_, store(kFlag, below<Result>(2))), wakes};
      default:
        return wakes;
    }
  }

  Script rwlockPiece() {
    Script both{rdlock(rwlock_), maybe(3, {rdlock(rwlock_), unlock(rwlock_)}), unlock(rwlock_)};
    switch (below(6)) {
      case 0:
        return {below(2) == 0 ? tryrdlock(rwlock_) : timedrdlock(rwlock_), when(0, unlock(rwlock_))};
      case 1:
        return {below(2) == 0 ? trywrlock(rwlock_) : timedwrlock(rwlock_),
                when(0, {maybe(3, tryrdlock(rwlock_)), unlock(rwlock_)})};
      case 2:
      case 3:
        return {wrlock(rwlock_), unlock(rwlock_)};
      default:
        return both;
    }
  }

  Script spinPiece() {
    if (below(2) == 0) return {lock(spin_), maybe(2, mutexPiece()), unlock(spin_)};
    return {trylock(spin_), when(0, unlock(spin_))};
  }

  Script namedPiece() {
    if (below(4) == 0) return unlink(name_);
    auto how = static_cast<Opening>(below(3));
    return open(name_, how, 1, [&](Semaphore semaphore) {
      return Script{below(2) == 0 ? wait(semaphore) : trywait(semaphore), maybe(2, post(semaphore))};
    });
  }

  Script semaphorePiece() {
    if (hasNames_) return namedPiece();
    switch (below(7)) {
      case 0:
        return {trywait(semaphore_), when(0, maybe(2, post(semaphore_)))};
      case 1:
        return {timedwait(semaphore_), when(ETIMEDOUT, maybe(2, post(semaphore_)))};
      case 2:
        return {getvalue(semaphore_), when(0, maybe(2, post(semaphore_)))};
      case 3:
      case 4:
        return wait(semaphore_);
      default:
        return post(semaphore_);
    }
  }

  Script futexPiece() {
    std::uint32_t mask = below(4) == 0 ? 1 + below<std::uint32_t>(2) : kAnyBit;
    switch (below(7)) {
      case 0:
        return waitInVain(futexes_[0]);
      case 1:
        return wake(futexes_[1], 1, kAnyBit);
      case 2:
        return requeue(futexes_[0], futexes_[1], below<std::uint32_t>(2), 1 + below<std::uint32_t>(2),
                       below(2) == 0);
      case 3:
      case 4:
        return wake(futexes_[0], 1 + below<std::uint64_t>(2), mask);
      default:
        return wait(futexes_[0], below(4) == 0, mask, futexes_[1]);
    }
  }

  /// What it finds decides what else it does.
  Script atomicPiece() {
    Atomic atomic = anyOf(atomics_);
    auto value = below<std::uint64_t>(3);
    switch (below(8)) {
      case 0:
        return {load(atomic), when(below<Result>(3), atomicCall(), maybe(2, atomicCall()))};
      case 1:
        return {load(atomic), setToLastAnd(anyOf(atomics_), 1)};
      case 2:
        return {exchange(atomic, value), unless(below<Result>(2), atomicCall())};
      case 3:
      case 4: {
        Script swaps = compareAndSwap(atomic, value, below<std::uint64_t>(3));
        return {swaps, when(static_cast<Result>(value), maybe(2, atomicCall()), maybe(2, swaps))};
      }
      default:
        return atomicCall();
    }
  }

  Script atomicCall() {
    Atomic atomic = anyOf(atomics_);
    auto value = below<std::uint64_t>(3);
    return oneOf({load(atomic), set(atomic, value), fetchAdd(atomic, 1), exchange(atomic, value),
                  compareAndSwap(atomic, value, below<std::uint64_t>(3)), fence()});
  }

  Script threadCall(Thread thread) {
    switch (below(6)) {
      case 0:
        return tryjoin(thread);
      case 1:
        return timedjoin(thread);
      case 2:
        return detach(thread);
      case 3:
        return join(thread, below(3) == 0);
      default:
        return cancel(thread);
    }
  }

  std::mt19937_64 random_;
  const std::vector<CallKind>& kinds_;
  std::size_t workers_;
  std::size_t barrierCount_;
  std::vector<Mutex> mutexes_;
  Mutex guard_;
  Cond cond_{'c'};
  Rwlock rwlock_{.address = 'r'};
  Barrier barrier_{.address = 'b'};
  Once once_{'o'};
  Static static_{'v'};
  Spin spin_{'p'};
  Semaphore semaphore_{.address = 's'};
  SemaphoreName name_{5000};
  bool hasNames_ = false;
  std::array<Futex, 2> futexes_{Futex{1000}, Futex{2000}};
  std::vector<Atomic> atomics_{{1000, 4}, {1000, 4}, {1000, 4}, {1004, 4}, {4000}};
};

}  // namespace

Program randomCalls(std::uint64_t seed, const std::vector<CallKind>& kinds) {
  return CallGenerator(seed, kinds).program();
}

}  // namespace mcmini
