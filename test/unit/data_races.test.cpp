#include <catch2/catch.hpp>

#include "core/search/data_races.hpp"

namespace mcmini {
namespace {

using namespace memory_order;
constexpr MemoryOrder kNothing = memory_order::kNone;
using Kind = Access::Kind;

constexpr std::uint64_t kX = 0x1000;
constexpr std::uint64_t kFlag = 0x2000;

/// An operation that orders memory as it is told.
class Ordering : public Transition {
 public:
  Ordering(std::uint32_t thread, std::uint64_t object, MemoryOrder order)
      : Transition(VisibleOp{{}, "test.order", ThreadId{thread}, object}, {objectAt(object)}),
        order_(order) {}
  bool enabled(const ModelState&) const override { return true; }
  Result apply(ModelState&) const override { return 0; }
  MemoryOrder memoryOrder(Result) const override { return order_; }
  std::string describe(const Names&) const override { return ""; }

 private:
  MemoryOrder order_;
};

constexpr MemoryOrder kStore = kWrites | kReplaces;
constexpr MemoryOrder kLoad = kReads;
constexpr MemoryOrder kExchange = kReads | kWrites;

/// A run of threads 1 and 2, and maybe more, and what they do to memory.
struct Run {
  std::vector<Event> events;
  AccessLog log;

  Run& step(std::uint32_t thread, MemoryOrder order = kAsDependence, std::uint64_t object = kFlag) {
    events.push_back({std::make_shared<Ordering>(thread, object, order)});
    return *this;
  }
  /// Something of its own, after which the thread goes on.
  Run& goOn(std::uint32_t thread) { return step(thread, kNothing, thread); }

  Run& access(Kind kind, std::uint64_t address = kX, std::uint32_t size = 4, CodeAddress site = 0) {
    auto segment = static_cast<std::uint32_t>(events.size());
    log.accesses.push_back({address, site != 0 ? site : 100 + log.accesses.size(), size, segment, kind});
    return *this;
  }
  Run& write() { return access(Kind::Write); }
  Run& read() { return access(Kind::Read); }

  std::size_t races() const { return dataRaces(events, log, {}).found.size(); }
};

/// Thread 1 writes and does something to the flag; thread 2 does something to it and reads.
std::size_t racesOf(MemoryOrder first, MemoryOrder second) {
  return Run().goOn(1).write().step(1, first).goOn(2).step(2, second).read().races();
}

TEST_CASE("what depends on each other orders memory", "[races]") {
  CHECK(racesOf(kAsDependence, kAsDependence) == 0);
  CHECK(racesOf(kNothing, kAsDependence) == 1);
  CHECK(racesOf(kAsDependence, kNothing) == 1);
}

TEST_CASE("a release orders what acquires it", "[races]") {
  CHECK(racesOf(kStore | kRelease, kLoad | kAcquire) == 0);
  CHECK(racesOf(kStore | kRelease, kLoad) == 1);
  CHECK(racesOf(kStore, kLoad | kAcquire) == 1);
  CHECK(racesOf(kExchange | kRelease, kExchange | kAcquire) == 0);
}

TEST_CASE("a store ends what was released before, an exchange does not", "[races]") {
  auto run = [](MemoryOrder between) {
    return Run().goOn(1).write().step(1, kStore | kRelease).step(3, between).step(2, kLoad | kAcquire).read();
  };
  CHECK(run(kStore).races() == 1);
  CHECK(run(kStore | kRelease).races() == 1);  // thread 3 knows nothing of the write
  CHECK(run(kExchange).races() == 0);
}

TEST_CASE("fences make relaxed accesses order memory", "[races]") {
  auto run = [](MemoryOrder before, MemoryOrder after) {
    return Run().goOn(1).write().step(1, before, 0).step(1, kStore).step(2, kLoad).step(2, after, 0).read();
  };
  CHECK(run(kFence | kRelease, kFence | kAcquire).races() == 0);
  CHECK(run(kFence | kAcquire, kFence | kAcquire).races() == 1);
  CHECK(run(kFence | kRelease, kFence | kRelease).races() == 1);
}

TEST_CASE("two reads are no race, nor are two atomic accesses", "[races]") {
  auto run = [](Kind first, Kind second) {
    return Run().goOn(1).access(first).goOn(2).access(second).races();
  };
  CHECK(run(Kind::Read, Kind::Read) == 0);
  CHECK(run(Kind::Read, Kind::Write) == 1);
  CHECK(run(Kind::Write, Kind::Read) == 1);
  CHECK(run(Kind::AtomicWrite, Kind::AtomicWrite) == 0);
  CHECK(run(Kind::AtomicRead, Kind::Write) == 1);
  CHECK(run(Kind::AtomicWrite, Kind::Read) == 1);
  CHECK(run(Kind::Read, Kind::AtomicRead) == 0);
}

TEST_CASE("an atomic access is part of its step", "[races]") {
  Run run;
  run.goOn(1).step(1, kStore | kRelease).access(Kind::AtomicWrite, kFlag);
  run.step(2, kLoad | kAcquire).access(Kind::AtomicRead, kFlag).access(Kind::Write, kFlag);
  CHECK(run.races() == 0);
}

TEST_CASE("bytes side by side are not the same", "[races]") {
  auto run = [](std::uint64_t address, std::uint32_t size) {
    return Run().goOn(1).access(Kind::Write, kX + 2, 2).goOn(2).access(Kind::Write, address, size).races();
  };
  CHECK(run(kX, 2) == 0);
  CHECK(run(kX + 4, 4) == 0);
  CHECK(run(kX + 3, 1) == 1);
  CHECK(run(kX - 100, 200) == 1);
  CHECK(run(kX - 100, 102) == 0);
}

TEST_CASE("memory that is used again is another object", "[races]") {
  CHECK(Run().goOn(1).write().goOn(2).access(Kind::Begin, kX - 8, 64).write().races() == 0);
  CHECK(Run().goOn(1).write().goOn(2).access(Kind::Begin, kX + 4, 64).write().races() == 1);
}

TEST_CASE("to free memory is to write to all of it", "[races]") {
  CHECK(Run().goOn(1).read().goOn(2).access(Kind::Free, kX - 8, 64).races() == 1);
  CHECK(Run().goOn(2).access(Kind::Free, kX - 8, 64).goOn(1).read().races() == 1);
  CHECK(Run().goOn(2).access(Kind::Free, kX - 8, 8).goOn(1).read().races() == 0);
  CHECK(Run().step(2).access(Kind::Free, kX - 8, 64).step(2).step(1).read().races() == 0);
  CHECK(Run().goOn(2).access(Kind::Free, kX, 8).access(Kind::Begin, kX, 8).goOn(1).read().races() == 0);
}

TEST_CASE("races that are meant are not told", "[races]") {
  CHECK(Run().access(Kind::Benign, kX, 4).goOn(1).write().goOn(2).write().races() == 0);
  CHECK(Run().access(Kind::Benign, kX, 2).goOn(1).write().goOn(2).write().races() == 1);
  CHECK(Run().goOn(1).write().goOn(2).access(Kind::Benign, kX, 4).write().races() == 0);
}

TEST_CASE("what is no step may order memory", "[races]") {
  auto run = [](Kind first, Kind second) {
    return Run().goOn(1).write().access(first, kFlag, 1).goOn(2).access(second, kFlag, 1).read().races();
  };
  CHECK(run(Kind::Release, Kind::Acquire) == 0);
  CHECK(run(Kind::Release, Kind::Release) == 1);
  CHECK(run(Kind::Acquire, Kind::Acquire) == 1);
  // What comes after the release, though before the next step, is not released.
  CHECK(Run()
            .goOn(1)
            .access(Kind::Release, kFlag)
            .write()
            .goOn(2)
            .access(Kind::Acquire, kFlag)
            .read()
            .races() == 1);
}

TEST_CASE("two lines make one race, the one that writes most", "[races]") {
  Run run;
  for (int round = 0; round < 3; ++round) {
    run.goOn(1).access(Kind::Read, kX, 4, 11).access(Kind::Write, kX, 4, 11);
    run.goOn(2).access(Kind::Read, kX, 4, 12).access(Kind::Write, kX, 4, 12);
  }
  Races races = dataRaces(run.events, run.log, {});
  REQUIRE(races.found.size() == 1);
  CHECK(races.found[0].first.access.kind == Kind::Write);
  CHECK(races.found[0].second.access.kind == Kind::Write);
  CHECK(races.found[0].places == std::pair<std::string, std::string>("11", "12"));
  CHECK(races.bytes == std::vector<MemoryRange>{{kX, kX + 4}});
}

TEST_CASE("many accesses to a word are forgotten only if others stand for them", "[races]") {
  Run run;
  run.goOn(1).write();
  for (std::uint32_t i = 0; i < 40; ++i) run.goOn(3 + i).read();
  CHECK(run.races() == 40);
  Run ordered;
  ordered.goOn(1).write();
  for (std::uint32_t i = 0; i < 40; ++i) ordered.step(1).write();
  ordered.goOn(2).write();
  CHECK(ordered.races() >= 1);
}

TEST_CASE("what main does before its first step is part of the run", "[races]") {
  CHECK(Run().write().goOn(1).write().races() == 1);
  CHECK(Run().write().step(0).step(1).write().races() == 0);
}

TEST_CASE("ranges that touch are one", "[races]") {
  CHECK(merged({{8, 12}, {0, 4}, {4, 8}, {20, 24}, {21, 22}}) == std::vector<MemoryRange>{{0, 12}, {20, 24}});
  CHECK(merged({}) == std::vector<MemoryRange>{});
}

TEST_CASE("a run that accesses very much memory is looked at in part", "[races]") {
  Run run;
  run.goOn(1).write().goOn(2).access(Kind::Write, kX + 64, 1U << 30).access(Kind::Read);
  Races races = dataRaces(run.events, run.log, {});
  CHECK(races.isPartial);
  CHECK(races.found.size() == 1);
  CHECK_FALSE(dataRaces(run.events, {}, {}).isPartial);
}

}  // namespace
}  // namespace mcmini
