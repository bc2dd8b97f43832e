#include <catch2/catch.hpp>

#include "test/support/built_in.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

struct NoNames : Names {
  std::string thread(ThreadId) const override { return ""; }
  std::string object(ObjectId) const override { return ""; }
};

std::string described(const std::string& name, std::array<std::uint64_t, 3> args) {
  BuiltIn plugins;
  ModelState state = plugins.state(1);
  return plugins.make(state, 0, name, 0, args)->describe(NoNames{});
}

}  // namespace

TEST_CASE("a sleep is always possible and changes nothing", "[time]") {
  BuiltIn plugins;
  for (const char* name : {"time.sleep", "time.yield"}) {
    ModelState state = plugins.state(2);
    auto t = plugins.make(state, 1, name, 0);
    CHECK(t->enabled(state));
    CHECK(t->apply(state) == 0);
    CHECK(state == plugins.state(2));
    CHECK(t->objects().empty());
  }
}

TEST_CASE("a sleep is described in the words of the call", "[time]") {
  CHECK(described("time.sleep", {0, 1000, 0}) == "sleep(1000)");
  CHECK(described("time.sleep", {1, 1, 500'000'000}) == "usleep(1500000)");
  CHECK(described("time.sleep", {2, 0, 50'000'000}) == "nanosleep(0.05 s)");
  CHECK(described("time.sleep", {3, 2, 1}) == "clock_nanosleep(2.000000001 s)");
  CHECK(described("time.sleep", {4, 3, 0}) == "thrd_sleep(3 s)");
  CHECK(described("time.yield", {0}) == "sched_yield()");
  CHECK(described("time.yield", {2}) == "thrd_yield()");
}
