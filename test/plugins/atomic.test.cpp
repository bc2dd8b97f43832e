#include <catch2/catch.hpp>

#include "test/support/brute_force.hpp"
#include "test/support/built_in.hpp"
#include "test/support/calls.hpp"
#include "test/support/exploration.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kCell = 8;
constexpr std::uint64_t kInt = 4;
constexpr std::uint64_t kAdd = 1 << 24;

/// The program has written to the cell, so often that this is the epoch.
TransitionPtr since(std::uint32_t epoch, std::uint64_t initial, const std::string& name,
                    const BuiltIn& plugins, const ModelState& state) {
  VisibleOp op = plugins.make(state, 0, name, kCell)->visible();
  op.epoch = epoch;
  op.initial = initial;
  return plugins.model().catalog.find(op.op)->make(op, state);
}

Result take(const BuiltIn& plugins, ModelState& state, const std::string& name, std::uint64_t operand,
            std::uint64_t expected = 0, std::uint64_t manner = kInt) {
  return plugins.make(state, 0, name, kCell, {operand, expected, manner})->apply(state);
}

std::size_t runs(const Program& program, const BuiltIn& plugins) {
  return explore(program, {.model = &plugins.model()}).traces.size();
}

}  // namespace

TEST_CASE("an atomic variable holds what was last written to it, cut to its size", "[atomic]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  CHECK(take(plugins, state, "atomic.load", 0) == 0);
  CHECK(take(plugins, state, "atomic.store", 7) == 0);
  CHECK(take(plugins, state, "atomic.rmw", 5, 0, kInt | kAdd) == 7);
  CHECK(take(plugins, state, "atomic.rmw", 1) == 12);
  CHECK(take(plugins, state, "atomic.cas", 9, 2) == 1);
  CHECK(take(plugins, state, "atomic.cas", 9, 1) == 1);
  CHECK(take(plugins, state, "atomic.load", 0) == 9);
  CHECK(take(plugins, state, "atomic.rmw", 255, 0, 1 | kAdd) == 9);
  CHECK(take(plugins, state, "atomic.load", 0, 0, 1) == 8);
}

TEST_CASE("what the program wrote without an atomic operation is seen by the next one", "[atomic]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  CHECK(since(1, 3, "atomic.load", plugins, state)->apply(state) == 3);
  CHECK(since(1, 3, "atomic.rmw", plugins, state)->apply(state) == 3);
  CHECK(since(1, 3, "atomic.load", plugins, state)->apply(state) == 0);
  CHECK(since(2, 5, "atomic.rmw", plugins, state)->apply(state) == 5);
  CHECK(since(2, 5, "atomic.load", plugins, state)->apply(state) == 0);
}

TEST_CASE("a compare-and-swap that fails is a load", "[atomic]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto load = plugins.make(state, 0, "atomic.load", kCell);
  auto fails = plugins.make(state, 1, "atomic.cas", kCell, {1, 5});
  auto succeeds = plugins.make(state, 1, "atomic.cas", kCell, {1, 0});
  CHECK_FALSE(dependent(*load, *fails));
  CHECK(fails->onlyLooks());
  CHECK(dependent(*load, *succeeds));
  take(plugins, state, "atomic.store", 5, 0, 8);
  CHECK(dependent(*load, *asIn(state, fails)));
  CHECK_FALSE(dependent(*load, *asIn(state, succeeds)));
}

TEST_CASE("plain accesses to a variable have an order with its operations, however large they are",
          "[atomic]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto store = plugins.make(state, 0, "atomic.store", kCell, {1, 0, kInt});
  auto load = plugins.make(state, 0, "atomic.load", kCell, {0, 0, kInt});
  auto compare = plugins.make(state, 0, "futex.compare", kCell);
  for (std::uint64_t size : {kCell + 1, kCell + 64, kCell + 1'000'000}) {
    auto write = plugins.make(state, 1, "memory.write", 0, {size});
    auto read = plugins.make(state, 1, "memory.read", 0, {size});
    CHECK(dependent(*store, *write));
    CHECK(dependent(*store, *read));
    CHECK(dependent(*load, *write));
    CHECK_FALSE(dependent(*load, *read));
    CHECK(dependent(*compare, *write));
    CHECK_FALSE(dependent(*compare, *read));
  }
  auto beside = plugins.make(state, 1, "memory.write", 0, {kCell});
  CHECK_FALSE(dependent(*store, *beside));
  CHECK_FALSE(dependent(*compare, *beside));
}

TEST_CASE("operations on other bytes of a word are independent", "[atomic]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto store = plugins.make(state, 0, "atomic.store", 8, {1, 0, kInt});
  CHECK_FALSE(dependent(*store, *plugins.make(state, 1, "atomic.store", 12, {1, 0, kInt})));
  CHECK(dependent(*store, *plugins.make(state, 1, "atomic.load", 8, {0, 0, 8})));
  CHECK(dependent(*store, *plugins.make(state, 1, "atomic.load", 11, {0, 0, 1})));
  CHECK(dependent(*plugins.make(state, 0, "atomic.store", 0, {1, 0, 16}),
                  *plugins.make(state, 1, "atomic.load", 12, {0, 0, kInt})));
}

TEST_CASE("a futex wait depends on what changes its word, and on nothing that looks at it", "[atomic]") {
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto wait = plugins.make(state, 0, "futex.compare", 12);
  CHECK(dependent(*wait, *plugins.make(state, 1, "atomic.store", 12, {1, 0, kInt})));
  CHECK(dependent(*wait, *plugins.make(state, 1, "atomic.rmw", 8, {1, 0, 8})));
  CHECK_FALSE(dependent(*wait, *plugins.make(state, 1, "atomic.store", 8, {1, 0, kInt})));
  CHECK_FALSE(dependent(*wait, *plugins.make(state, 1, "atomic.load", 12, {0, 0, kInt})));
}

TEST_CASE("atomic operations order memory as they were asked to", "[atomic]") {
  using namespace memory_order;
  BuiltIn plugins;
  ModelState state = plugins.state(2);
  auto order = [&](const std::string& name, std::uint64_t asked, Result result = 0) {
    return plugins.make(state, 0, name, kCell, {1, 0, kInt | asked << 8})->memoryOrder(result);
  };
  constexpr std::uint64_t kRelaxed = 0, kConsume = 1, kAcquires = 2, kReleases = 3, kBoth = 4, kSeqCst = 5;
  CHECK(order("atomic.load", kRelaxed) == kReads);
  for (std::uint64_t asked : {kConsume, kAcquires, kSeqCst})
    CHECK(order("atomic.load", asked) == (kReads | kAcquire));
  CHECK(order("atomic.store", kRelaxed) == (kWrites | kReplaces));
  CHECK(order("atomic.store", kReleases) == (kWrites | kReplaces | kRelease));
  CHECK(order("atomic.rmw", kRelaxed) == (kReads | kWrites));
  CHECK(order("atomic.rmw", kBoth) == (kReads | kWrites | kAcquire | kRelease));
  CHECK(order("atomic.cas", kSeqCst) == (kReads | kWrites | kAcquire | kRelease));
  CHECK(order("atomic.cas", kSeqCst, 9) == kReads);  // its order of failure is relaxed
  CHECK(order("atomic.fence", kReleases) == (kFence | kRelease));
}

// Of the two, one fails: then it is a load, after the other one.
TEST_CASE("two equal compare-and-swaps have two orders", "[atomic]") {
  BuiltIn plugins;
  calls::Atomic cell{kCell};
  CHECK(runs(parallel({calls::compareAndSwap(cell, 0, 1), calls::compareAndSwap(cell, 0, 1)}), plugins) == 2);
}

// The first of n succeeds, and all others are loads after it.
TEST_CASE("n equal compare-and-swaps have n orders", "[atomic]") {
  BuiltIn plugins;
  calls::Atomic cell{kCell};
  Script swap = calls::compareAndSwap(cell, 0, 1);
  CHECK(runs(parallel({swap, swap, swap}), plugins) == 3);
  CHECK(runs(parallel({swap, swap, swap, swap}), plugins) == 4);
}
