#include <catch2/catch.hpp>

#include "test/support/checker.hpp"
#include "test/support/none.hpp"

namespace mcmini {
namespace {

using Catch::Contains;

Outcome expect(const std::string& name, const std::string& what, const std::string& verdict,
               std::uint64_t traces) {
  Outcome last;
  for (const std::string& variant : variants()) {
    last = check({program(name, variant), what});
    INFO(variant << " " << what << "\n" << last.everything());
    CHECK(last["verdict"] == verdict);
    CHECK(last["traces"] == std::to_string(traces));
    CHECK(last["blocked"] == "0");
    CHECK(last["complete"] == "yes");
  }
  return last;
}

void expectMisuse(const std::string& what, std::uint64_t traces, const std::string& sentence) {
  Outcome outcome = expect("thread_misuse", what, "misuse", traces);
  CHECK(outcome["bugs"] == "1");
  CHECK_THAT(outcome.out, Contains("MISUSE    " + sentence));
}

TEST_CASE("threads have results, names and attributes", "[thread]") {
  expect("thread_ways", "results", "ok", 1);
  expect("thread_ways", "identity", "ok", 1);
  expect("thread_ways", "made", "ok", 1);
}

// The thread has ended by then or not.
TEST_CASE("who tries to join, or waits until a certain time, may come too early", "[thread]") {
  expect("thread_ways", "try", "ok", 2);
  expect("thread_ways", "timed", "ok", 2);
  expect("thread_ways", "clock", "ok", 2);
  expect("thread_ways", "no_limit", "ok", 1);
}

TEST_CASE("destructors of keys run under control", "[thread]") {
  expect("thread_ways", "keys", "ok", 2);
}

TEST_CASE("a main that returns while threads run is a warning with their names", "[thread]") {
  for (const std::string how : {"cut_off", "detached"}) {
    Outcome outcome = expect("thread_ways", how, "ok", 1);
    CHECK_THAT(outcome.err, Contains("warning: main can end the process while take#1 is still running"));
  }
  CHECK(expect("thread_ways", "keys", "ok", 2).err == kNone);
}

// Of main and the thread that it tries to join, either one is first, which makes no difference to the
// verdict.
TEST_CASE("what must not be done to a thread is told", "[thread]") {
  expectMisuse("join_itself", 1, "join_itself#1 joins itself");
  expectMisuse("join_detached", 2, "main joins nothing#1, which is detached");
  expectMisuse("join_made_so", 2, "main joins nothing#1, which is detached");
  expectMisuse("join_twice", 1, "main joins nothing#1, which has been joined already");
  expectMisuse("detach_twice", 1, "main detaches nothing#1, which is detached already");
  expectMisuse("detach_joined", 1, "main detaches nothing#1, which has been joined already");
  expectMisuse("cancel_joined", 1, "main cancels nothing#1, which has been joined already");
  expectMisuse("try_detached", 2, "main joins nothing#1, which is detached");
}

// The cancellation comes before the thread asks, before it ends, or after that.
TEST_CASE("a thread that asks whether it is cancelled may ask too early", "[cancel]") {
  expect("cancel_ways", "testcancel", "ok", 3);
  expect("cancel_ways", "itself", "ok", 1);
}

// Nobody posts, signals or ends: the cancellation is the only way out.
TEST_CASE("a thread that waits for ever can be cancelled", "[cancel]") {
  expect("cancel_ways", "sem", "ok", 1);
  expect("cancel_ways", "cond", "ok", 1);
  expect("cancel_ways", "join", "ok", 1);
}

// The cancellation comes before the wait is over, before the thread ends, or after that.
TEST_CASE("a wait is a cancellation point even if it need not wait", "[cancel]") {
  expect("cancel_ways", "sem_posted", "ok", 3);
  expect("cancel_ways", "sem_timed", "ok", 3);
  expect("cancel_ways", "sem_clock", "ok", 3);
  expect("cancel_ways", "cond_timed", "ok", 3);
  expect("cancel_ways", "join_timed", "ok", 3);
}

// The cancellation comes before the thread's end, or after it.
TEST_CASE("a thread is not cancelled where it cannot be", "[cancel]") {
  expect("cancel_ways", "disabled", "ok", 2);
  expect("cancel_ways", "try", "ok", 2);
}

TEST_CASE("a cleanup handler may wait", "[cancel]") {
  expect("cancel_ways", "in_handler", "ok", 1);
}

TEST_CASE("a signal that a cancelled thread does not need wakes another one", "[cancel]") {
  for (const std::string policy : {"arbitrary", "fifo", "lifo"}) {
    Outcome outcome = check({"--policy", policy, program("cancel_ways"), "passed_on"});
    INFO(outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["complete"] == "yes");
  }
}

TEST_CASE("a thread that can be cancelled anywhere is cancelled at cancellation points, which is told",
          "[cancel]") {
  Outcome outcome = expect("cancel_ways", "anywhere", "ok", 2);
  CHECK_THAT(outcome.err, Contains("cancelled at cancellation points only"));
}

}  // namespace
}  // namespace mcmini
