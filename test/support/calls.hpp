#pragma once

#include <functional>

#include "test/support/script.hpp"

/// Calls as the wrappers of libmcmini make them: each announces the same operations, with the same arguments,
/// and what one of them returns decides which one comes next.
namespace mcmini::calls {

enum class MutexType : std::uint8_t { Normal, Recursive, ErrorCheck };

struct Mutex {
  std::uint64_t address;
  MutexType type = MutexType::Normal;
  bool robust = false;

  bool isPlain() const { return type == MutexType::Normal && !robust; }
};

Script init(const Mutex& mutex);
Script lock(const Mutex& mutex);
Script trylock(const Mutex& mutex);
Script timedlock(const Mutex& mutex);
Script unlock(const Mutex& mutex);
Script makeConsistent(const Mutex& mutex);
Script destroy(const Mutex& mutex);

/// A thread that is canceled in its wait does `cleanup` and ends.
struct Wait {
  bool timed = false;
  bool cancelDisabled = false;
  Script cleanup;
};

struct Cond {
  std::uint64_t address;
};

Script init(Cond cond);
Script wait(Cond cond, const Mutex& mutex, const Wait& how);
Script signal(Cond cond);
Script broadcast(Cond cond);
Script destroy(Cond cond);

struct Rwlock {
  std::uint64_t address;
  bool prefersWriters = false;
  bool prefersNobody = false;
};

Script init(const Rwlock& lock);
Script rdlock(const Rwlock& lock);
Script tryrdlock(const Rwlock& lock);
Script timedrdlock(const Rwlock& lock);
Script wrlock(const Rwlock& lock);
Script trywrlock(const Rwlock& lock);
Script timedwrlock(const Rwlock& lock);
Script unlock(const Rwlock& lock);
Script destroy(const Rwlock& lock);

/// `early`: one more than the count that a library gave it before the checker took over; 0 if none did.
struct Barrier {
  std::uint64_t address;
  std::uint64_t early = 0;
};

Script init(Barrier barrier, std::uint64_t count);
Script wait(Barrier barrier);
Script destroy(Barrier barrier);

struct Once {
  std::uint64_t address;
};

/// pthread_once; `abandons`: the routine ends its thread.
Script once(Once control, const Script& routine, bool abandons = false);
/// The program writes PTHREAD_ONCE_INIT.
Script reset(Once control);

struct Static {
  std::uint64_t guard;
};

/// A thread comes to a static variable within a function, and initializes it if nobody has; perhaps in vain.
Script comeTo(Static variable, const Script& initialization, bool fails = false);

struct Spin {
  std::uint64_t address;
};

Script init(Spin lock);
Script lock(Spin lock);
Script trylock(Spin lock);
Script unlock(Spin lock);
Script destroy(Spin lock);

/// `early`: one more than the value that it had when the checker took over; 0 if it was not there.
struct Semaphore {
  std::uint64_t address;
  std::uint64_t early = 0;
};

Script init(Semaphore semaphore, std::uint64_t value);
Script wait(Semaphore semaphore);
Script trywait(Semaphore semaphore);
Script timedwait(Semaphore semaphore);
Script post(Semaphore semaphore);
Script getvalue(Semaphore semaphore);
Script destroy(Semaphore semaphore);

/// A semaphore with a name, which libmcmini keeps at this address; the semaphores themselves follow it.
struct SemaphoreName {
  std::uint64_t address;
  Semaphore place(std::uint64_t place) const { return {address + 256 + 32 * place}; }
};

enum class Opening : std::uint8_t { Existing, Creating, Exclusive };

/// `then` with the semaphore that it finds or makes.
Script open(SemaphoreName name, Opening how, std::uint64_t value,
            const std::function<Script(Semaphore)>& then);
Script unlink(SemaphoreName name);

/// A word whose value does not change: threads would tell each other by it what no operation shows.
struct Futex {
  std::uint64_t address;
};

constexpr std::uint32_t kAnyBit = 0xffffffff;

/// `other`: where the waiter may be moved to; both 0 if nobody moves it.
Script wait(Futex futex, bool timed, std::uint32_t mask, Futex other);
/// The word does not have the value that is expected.
Script waitInVain(Futex futex);
Script wake(Futex futex, std::uint64_t count, std::uint32_t mask);
Script requeue(Futex futex, Futex to, std::uint32_t toWake, std::uint32_t toMove, bool compares);

/// All return what it held before; 0 at first.
struct Atomic {
  std::uint64_t address;
  std::uint64_t size = 8;
};
Script load(Atomic atomic);
Script set(Atomic atomic, std::uint64_t value);
/// `value` more than the last result.
Script setToLastAnd(Atomic atomic, std::uint64_t value);
Script exchange(Atomic atomic, std::uint64_t value);
Script fetchAdd(Atomic atomic, std::uint64_t value);
Script compareAndSwap(Atomic atomic, std::uint64_t expected, std::uint64_t value);
Script fence();

/// A thread, by its number, which is known if main creates all threads; or one that the caller has created.
struct Thread {
  std::uint64_t number;
  bool isChild = false;
};

Script create(std::size_t place, bool detached = false);
Script join(Thread thread, bool cancelDisabled = false, const Script& cleanup = {});
Script tryjoin(Thread thread);
Script timedjoin(Thread thread);
Script detach(Thread thread);
Script cancel(Thread thread);
Script testcancel();
Script yield();

}  // namespace mcmini::calls
