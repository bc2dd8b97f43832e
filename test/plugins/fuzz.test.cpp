#include <catch2/catch.hpp>

#include <algorithm>

#include "test/support/brute_force.hpp"
#include "test/support/built_in.hpp"
#include "test/support/calls.hpp"
#include "test/support/exploration.hpp"
#include "test/support/none.hpp"
#include "test/support/random_calls.hpp"

namespace mcmini {
namespace {

using test::BuiltIn;

std::size_t missed(const Exploration& exploration, const Behaviours& all) {
  auto found = exploration.distinct();
  return static_cast<std::size_t>(
      std::ranges::count_if(all.traces, [&](const Trace& trace) { return !found.contains(trace); }));
}

/// What the operations of a barrier depend on is learnt.
bool usesBarriers(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Script& script) {
    return std::ranges::any_of(script.code(),
                               [](const Instruction& here) { return here.name.starts_with("barrier."); });
  });
}

/// The optimal search does each behaviour once and gives no run up; the classic one misses none. Returns
/// whether the program was small enough to tell.
bool agrees(const Program& program, const Model& model) {
  Labels labels;
  auto all = bruteForce(program, labels, {.checkPromises = true, .learns = usesBarriers(program)}, model);
  if (!all) return false;
  INFO(program.text());
  CHECK(all->brokenPromises == kNone);
  Exploration optimal = explore(program, labels, {.model = &model});
  CHECK(missed(optimal, *all) == 0);
  CHECK(optimal.distinct().size() == all->traces.size());
  CHECK(optimal.redundant() == 0);
  CHECK(optimal.summary.blocked == 0);
  CHECK_FALSE(optimal.summary.strayed);
  // Where a thread has come to grief, brute force does not judge whether the others wait for ever.
  if (all->bugs.empty()) {
    CHECK(optimal.deadlocks == all->deadlocks);
    CHECK(optimal.deadlockKeys() == all->deadlockKeys);
  }
  CHECK(optimal.bugs() == all->bugs);
  Exploration dpor = explore(program, labels, {.search = Search::Dpor, .model = &model});
  CHECK(missed(dpor, *all) == 0);
  CHECK(dpor.bugs() == all->bugs);
  return true;
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kPrograms = 80;  // many times slower, and the others are run without it
#else
constexpr std::uint64_t kPrograms = 400;
#endif

constexpr std::array kAll = {CallKind::Mutex,  CallKind::Cond,  CallKind::Rwlock, CallKind::Barrier,
                             CallKind::Once,   CallKind::Spin,  CallKind::Futex,  CallKind::Semaphore,
                             CallKind::Thread, CallKind::Atomic};

/// Calls of one kind, of two, or of three.
std::vector<CallKind> kindsFor(std::uint64_t seed) {
  CallKind first = kAll[seed % kAll.size()];
  CallKind second = kAll[seed / kAll.size() % kAll.size()];
  if (seed % 2 == 0 || first == second) return {first};
  if (seed % 7 == 0) return {first, second, kAll[seed / 7 % kAll.size()]};
  return {first, second};
}

void campaign(std::uint64_t firstSeed, std::uint64_t programs) {
  const std::array<BuiltIn, 6> plugins{BuiltIn("arbitrary"), BuiltIn("fifo"),    BuiltIn("lifo"),
                                       BuiltIn("spurious"),  BuiltIn("fifo", 1), BuiltIn("lifo", 1)};
  std::size_t checked = 0;
  for (std::uint64_t seed = firstSeed; seed < firstSeed + programs; ++seed) {
    INFO("seed " << seed);
    auto kinds = kindsFor(seed);
    const BuiltIn& builtIn = plugins[seed / 2 % 7 % plugins.size()];
    checked += agrees(randomCalls(seed, kinds), builtIn.model()) ? 1 : 0;
  }
  CHECK(checked * 10 >= programs * 7);
}

TEST_CASE("a join that is canceled does not wait for the end of the thread", "[fuzz]") {
  calls::Mutex m{.address = 'm'};
  Script joined{calls::lock(m), store('x', 1), calls::unlock(m)};
  Script cleanup{calls::lock(m), whenHolds('x', 0, fail("too early")), calls::unlock(m)};
  Program program = parallel({joined, calls::join({1}, false, cleanup)}, {}, calls::cancel({2}));
  BuiltIn plugins;
  CHECK(agrees(program, plugins.model()));
  CHECK(explore(program, {.model = &plugins.model()}).count(Finding::Kind::Assertion) == 1);
}

TEST_CASE("a thread that is woken only for no reason may wait for ever", "[fuzz]") {
  calls::Mutex m{.address = 'm'};
  calls::Mutex n{.address = 'n'};
  calls::Cond c{'c'};
  Script waits{calls::lock(m), calls::wait(c, m, {}), calls::unlock(m)};
  Script signals{calls::signal(c), calls::lock(n), calls::unlock(n)};
  BuiltIn plugins("spurious");
  Program program = parallel({waits, signals});
  CHECK(agrees(program, plugins.model()));
  CHECK(explore(program, {.model = &plugins.model()}).count(Finding::Kind::Deadlock) == 1);
  program = parallel({waits, waits});
  CHECK(agrees(program, plugins.model()));
  CHECK(explore(program, {.model = &plugins.model()}).count(Finding::Kind::Deadlock) > 0);
}

TEST_CASE("a reader that two writers keep out, each for itself, is tried before both", "[fuzz]") {
  calls::Rwlock r{.address = 'r', .prefersWriters = true};
  Script write{calls::wrlock(r), calls::unlock(r)};
  Script attempt{calls::trywrlock(r), when(0, calls::unlock(r))};
  Script readTwice{calls::rdlock(r), calls::rdlock(r), calls::unlock(r), calls::unlock(r)};
  CHECK(agrees(parallel({{attempt, write}, write}, {}, readTwice), BuiltIn().model()));
}

TEST_CASE("who comes too late to a barrier is in nobody else's way", "[fuzz]") {
  calls::Barrier b{.address = 'b'};
  Script before = calls::init(b, 2);
  Script after = calls::destroy(b);
  CHECK(agrees(parallel({calls::wait(b), calls::wait(b)}, before, after), BuiltIn().model()));
}

TEST_CASE("a thread that unlocks what it has not locked does not hide that another one does", "[fuzz]") {
  calls::Mutex m{.address = 'm'};
  calls::Spin p{'p'};
  calls::Cond c{'c'};
  Script waits = calls::wait(c, m, {});
  BuiltIn plugins;
  CHECK(agrees(parallel({calls::unlock(m), calls::unlock(m)}), plugins.model()));
  CHECK(agrees(parallel({calls::unlock(m), calls::lock(m)}), plugins.model()));
  CHECK(agrees(parallel({calls::unlock(m), waits}), plugins.model()));
  CHECK(agrees(parallel({waits, waits}), plugins.model()));
  CHECK(agrees(parallel({calls::unlock(p), calls::unlock(p)}, calls::init(p)), plugins.model()));
}

TEST_CASE("who wakes up and finds its mutex destroyed is told so", "[fuzz]") {
  calls::Mutex m{.address = 'm'};
  calls::Cond c{'c'};
  Script waits{calls::lock(m), calls::wait(c, m, {}), calls::unlock(m)};
  Script wakes{calls::signal(c), calls::lock(m), calls::unlock(m)};
  Program program = parallel({wakes, waits}, {}, calls::destroy(m));
  BuiltIn plugins;
  CHECK(agrees(program, plugins.model()));
  Exploration exploration = explore(program, {.model = &plugins.model()});
  auto wakesUp = [](const Finding& f) { return f.events.back().transition->op() == nameId("cond.wake"); };
  CHECK(std::ranges::count_if(exploration.findings, wakesUp) == 1);
}

// Annotations are in the programs of the unit tests.
TEST_CASE("the programs use all operations but those that do nothing new", "[fuzz]") {
  std::set<std::string> unused;
  BuiltIn plugins;
  plugins.model().catalog.forEach([&](const Catalog::Operation& known) { unused.insert(known.name); });
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    for (const Script& script : randomCalls(seed, kindsFor(seed)).threads)
      for (const Instruction& instruction : script.code()) unused.erase(std::string(instruction.name));
  CHECK(unused == std::set<std::string>{"annotate.assume", "annotate.begin", "annotate.choose",
                                        "annotate.end", "memory.read", "memory.write", "thread.exit",
                                        "thread.start", "thread.unstarted", "time.sleep", "time.slice"});
}

TEST_CASE("the search agrees with brute force on programs of all calls", "[fuzz]") {
  campaign(1, kPrograms);
}

TEST_CASE("the search agrees with brute force on programs of atomics", "[fuzz]") {
  BuiltIn plugins;
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    INFO("seed " << seed);
    checked += agrees(randomCalls(seed, {CallKind::Atomic}), plugins.model()) ? 1 : 0;
  }
  CHECK(checked * 10 >= kPrograms * 7);
}

TEST_CASE("the search agrees with brute force on many programs of atomics", "[.campaign][campaign]") {
  BuiltIn plugins;
  for (std::uint64_t seed = 1'000'000; seed < 1'010'000; ++seed) {
    INFO("seed " << seed);
    agrees(randomCalls(seed, {CallKind::Atomic}), plugins.model());
  }
}

TEST_CASE("the search agrees with brute force on many programs of all calls", "[.campaign][campaign]") {
  campaign(1'000'000, 10'000);
}

}  // namespace
}  // namespace mcmini
