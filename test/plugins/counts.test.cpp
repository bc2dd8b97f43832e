#include <catch2/catch.hpp>

#include "test/support/brute_force.hpp"
#include "test/support/built_in.hpp"
#include "test/support/calls.hpp"
#include "test/support/exploration.hpp"
#include "test/support/test_model.hpp"

// Programs of test/system whose number of behaviours is not obvious, as scripts of the same calls: brute
// force has the number that is expected there.

namespace mcmini {
namespace {

using calls::Cond;
using calls::Mutex;
using test::BuiltIn;

const Mutex kMutex{.address = 'm'};
const Mutex kOther{.address = 'o'};

/// The search finds as many.
std::size_t behaviours(const Program& program, const std::string& policy = "arbitrary") {
  BuiltIn plugins(policy);
  Labels labels;
  auto all = bruteForce(program, labels, {.partialTraces = 200'000}, plugins.model());
  REQUIRE(all);
  Exploration optimal = explore(program, labels, {.model = &plugins.model()});
  CHECK(optimal.distinct() == all->traces);
  CHECK(optimal.redundant() == 0);
  CHECK(optimal.bugs().empty() == all->bugs.empty());
  return all->traces.size();
}

Script increment(std::uint64_t variable, Result most) {
  Script script;
  for (Result value = most; value-- > 0;)
    script = whenHolds(variable, value, store(variable, value + 1), script);
  return script;
}

Script decrement(std::uint64_t variable, Result most) {
  Script script;
  for (Result value = 1; value <= most; ++value)
    script = whenHolds(variable, value, store(variable, value - 1), script);
  return script;
}

/// As long as the variable holds this value; that it does so often is not expected.
Script waitWhile(std::uint64_t variable, Result value, Cond cond) {
  Script script;
  for (int i = 0; i < 4; ++i) script += whenHolds(variable, value, calls::wait(cond, kMutex, {}));
  script += whenHolds(variable, value, fail("waits too often"));
  return script;
}

Script section(const Script& script) {
  return {calls::lock(kMutex), script, calls::unlock(kMutex)};
}

Program joined(const std::vector<Script>& workers, const Script& first = {}) {
  Script after = first;
  for (std::uint64_t i = 1; i <= workers.size(); ++i) after += calls::join({i});
  return parallel(workers, {}, after);
}

/// Of cancel_ways: two wait. Main signals if it sees both, and cancels the first, or else both.
Program passedOn() {
  constexpr Cond kCond{'c'};
  auto waits = [&](std::uint64_t came, std::uint64_t canceled) {
    Script cleanup{calls::unlock(kMutex), store(canceled, 1)};
    return section({store(came, 1), calls::wait(kCond, kMutex, {.cleanup = cleanup})});
  };
  Script both{calls::signal(kCond),
              calls::unlock(kMutex),
              calls::cancel({1}),
              calls::join({1}),
              whenHolds('p', 0, calls::cancel({2})),
              calls::join({2})};
  Script notBoth{calls::unlock(kMutex), calls::cancel({2}), calls::cancel({1}), calls::join({1}),
                 calls::join({2})};
  Script main{calls::create(1), calls::create(2), calls::lock(kMutex),
              whenHolds('a', 1, whenHolds('b', 1, both, notBoth), notBoth)};
  return {{main, waits('a', 'p'), waits('b', 'q')}};
}

// Main's section comes before one of the waits: then all is up to the cancellations, and the two sections of
// each thread come in any order that leaves main where it is: 6 + 3 + 3. Or it comes after both, in either
// order. Then the first one wakes up by the signal, and is cancelled before its end or after it; or it is
// cancelled, before or after the second one wakes up by the signal: 2 * (2 + 2). Under the other policies the
// order of all who come to a queue matters.
TEST_CASE("brute force knows how a signal that a cancelled thread does not need is passed on", "[counts]") {
  CHECK(behaviours(passedOn(), "arbitrary") == 20);
  CHECK(behaviours(passedOn(), "fifo") == 68);
  CHECK(behaviours(passedOn(), "lifo") == 336);
}

/// A std::scoped_lock, which turns round at most twice. It gives back in the order of its arguments.
Script scoped(const Mutex& first, const Mutex& second) {
  Script giveBack{calls::unlock(first), calls::unlock(second)};
  Script third{calls::lock(first), calls::trylock(second), when(0, giveBack, calls::unlock(first))};
  Script again{calls::lock(second), calls::trylock(first), when(0, giveBack, {calls::unlock(second), third})};
  return {calls::lock(first), calls::trylock(second), when(0, giveBack, {calls::unlock(first), again})};
}

// In three of the 17 somebody fails for the third time. That is where the checker stops following the loop,
// in one run: 14 + 1.
TEST_CASE("brute force knows two std::scoped_lock in opposite order", "[counts]") {
  CHECK(behaviours(joined({scoped(kMutex, kOther), scoped(kMutex, kOther)})) == 4);
  CHECK(behaviours(joined({scoped(kMutex, kOther), scoped(kOther, kMutex)})) == 17);
}

/// Of polling, back_off, with a limited number of attempts.
Script takeBoth(const Mutex& first, const Mutex& second, int attempts) {
  if (attempts == 0) return {};
  Script giveBack{calls::unlock(second), calls::unlock(first)};
  Script again{calls::unlock(first), takeBoth(first, second, attempts - 1)};
  return {calls::lock(first), calls::trylock(second), when(0, giveBack, again)};
}

// With one attempt each: who is first gets both, and the other one comes when one is given back, or both; or
// each has its first one, and one of them fails before the other one gets both, or both fail: 2 * 2 + 2 + 1.
TEST_CASE("brute force knows threads that hinder each other", "[counts]") {
  auto attempts = [](int n) { return joined({takeBoth(kMutex, kOther, n), takeBoth(kOther, kMutex, n)}); };
  CHECK(behaviours(attempts(1)) == 7);
  CHECK(behaviours(attempts(2)) == 37);
  CHECK(behaviours(attempts(3)) == 261);
}

/// Of producer_consumer, with one or two items.
Program producersAndConsumers(Result pairs) {
  constexpr Cond kNotFull{'f'};
  constexpr Cond kNotEmpty{'e'};
  Script produce = section({waitWhile('i', 1, kNotFull), store('i', 1), calls::signal(kNotEmpty)});
  Script consume = section({waitWhile('i', 0, kNotEmpty), store('i', 0), calls::signal(kNotFull)});
  std::vector<Script> workers;
  for (Result i = 0; i < 2 * pairs; ++i) workers.push_back(i % 2 == 0 ? produce : consume);
  return joined(workers);
}

TEST_CASE("brute force knows producers and consumers", "[counts]") {
  CHECK(behaviours(producersAndConsumers(1)) == 2);
  CHECK(behaviours(producersAndConsumers(2)) == 64);
}

/// Of philosophers_semaphore, and philosophers_all_seated if there are seats for all.
Program seated(std::uint64_t philosophers, std::uint64_t seats) {
  constexpr calls::Semaphore kSeats{.address = 's'};
  std::vector<Script> workers;
  for (std::uint64_t i = 0; i < philosophers; ++i) {
    Mutex left{.address = 'A' + i};
    Mutex right{.address = 'A' + (i + 1) % philosophers};
    workers.push_back({calls::wait(kSeats), calls::lock(left), calls::lock(right), calls::unlock(left),
                       calls::unlock(right), calls::post(kSeats)});
  }
  return parallel(workers, calls::init(kSeats, seats), {});
}

TEST_CASE("brute force knows philosophers of whom some have to stand", "[counts]") {
  CHECK(behaviours(seated(2, 2)) == 6);
  CHECK(behaviours(seated(3, 3)) == 42);
  CHECK(behaviours(seated(3, 2)) == 48);
  CHECK(behaviours(seated(3, 1)) == 6);
}

/// Of thread_pool, with one job at most. The pool is open and empty (0), open with a job (1), closed and
/// empty (2), or closed with a job (3).
Program pool(std::size_t workers, bool hasJob) {
  constexpr Cond kMore{'c'};
  Script work{calls::unlock(kMutex), calls::lock(kMutex), waitWhile('s', 0, kMore)};
  Script take = whenHolds('s', 1, {store('s', 0), work}, whenHolds('s', 3, {store('s', 2), work}));
  Script main;
  if (hasJob) main += section({store('s', 1), calls::signal(kMore)});
  main += section({whenHolds('s', 1, store('s', 3), store('s', 2)), calls::broadcast(kMore)});
  return joined(std::vector<Script>(workers, section({waitWhile('s', 0, kMore), take})), main);
}

TEST_CASE("brute force knows a pool of threads", "[counts]") {
  CHECK(behaviours(pool(1, false)) == 2);
  CHECK(behaviours(pool(2, false)) == 10);
  CHECK(behaviours(pool(1, true)) == 6);
  CHECK(behaviours(pool(2, true)) == 96);
}

/// Of if_instead_of_while.
Program oneConsumer(Result producers, bool looksAgain) {
  constexpr Cond kNotEmpty{'e'};
  Script produce = section({increment('i', producers), calls::signal(kNotEmpty)});
  Script await =
      looksAgain ? waitWhile('i', 0, kNotEmpty) : whenHolds('i', 0, calls::wait(kNotEmpty, kMutex, {}));
  Script consume;
  for (Result i = 0; i < producers; ++i)
    consume += section({await, whenHolds('i', 0, fail("no item")), decrement('i', producers)});
  std::vector<Script> workers;
  for (Result i = 0; i <= producers; ++i) workers.push_back(i < producers ? produce : consume);
  return joined(workers);
}

TEST_CASE("brute force knows a consumer that looks once or again", "[counts]") {
  CHECK(behaviours(oneConsumer(1, true), "arbitrary") == 2);
  CHECK(behaviours(oneConsumer(2, true), "arbitrary") == 12);
  CHECK(behaviours(oneConsumer(1, true), "fifo") == 3);
  CHECK(behaviours(oneConsumer(2, true), "fifo") == 30);
  CHECK(behaviours(oneConsumer(1, true), "lifo") == 6);
  CHECK(behaviours(oneConsumer(2, true), "lifo") == 166);
  CHECK(behaviours(oneConsumer(1, true), "spurious") == 3);
  CHECK(behaviours(oneConsumer(2, true), "spurious") == 22);
  CHECK(behaviours(oneConsumer(1, false), "arbitrary") == 2);
  CHECK(behaviours(oneConsumer(1, false), "fifo") == 3);
  CHECK(behaviours(oneConsumer(1, false), "lifo") == 6);
  CHECK(behaviours(oneConsumer(1, false), "spurious") == 3);
  CHECK(behaviours(oneConsumer(2, false), "spurious") == 17);
}

/// Of bakery, card_pile and narrow_bench: all wait until the last one is there, and go one after the other.
/// `allowed`: may who came at this place go when so many are gone?
Program callOneAnother(Result threads, bool (*allowed)(Result place, Result gone)) {
  constexpr Cond kAllHere{'h'};
  constexpr Cond kNext{'n'};
  Script comes;
  for (Result place = threads; place-- > 0;) {
    Script goes;
    for (Result gone = 0; gone < threads; ++gone)
      goes = whenHolds('g', gone, allowed(place, gone) ? store('g', gone + 1) : fail("not yet"), goes);
    Script here{store('c', place + 1)};
    if (place + 1 == threads) here += calls::signal(kAllHere);
    here += {waitWhile('y', 0, kNext), goes, calls::signal(kNext)};
    comes = whenHolds('c', place, here, comes);
  }
  Script await;
  for (Result few = 0; few < threads; ++few) await += whenHolds('c', few, calls::wait(kAllHere, kMutex, {}));
  Script open = section({await, store('y', 1), calls::signal(kNext)});
  return joined(std::vector<Script>(static_cast<std::size_t>(threads), section(comes)), open);
}

TEST_CASE("brute force knows threads that call one another", "[counts]") {
  Program bakery = callOneAnother(2, [](Result place, Result gone) { return place == gone; });
  CHECK(behaviours(bakery, "arbitrary") == 12);
  CHECK(behaviours(bakery, "fifo") == 40);
  CHECK(behaviours(bakery, "lifo") == 100);
  Program cards = callOneAnother(2, [](Result place, Result gone) { return place == 1 - gone; });
  CHECK(behaviours(cards, "arbitrary") == 12);
  CHECK(behaviours(cards, "fifo") == 20);
  CHECK(behaviours(cards, "lifo") == 200);
  Program bench = callOneAnother(3, [](Result place, Result gone) { return gone > 0 || place != 1; });
  CHECK(behaviours(bench, "arbitrary") == 120);
  CHECK(behaviours(bench, "fifo") == 336);
}

}  // namespace
}  // namespace mcmini
