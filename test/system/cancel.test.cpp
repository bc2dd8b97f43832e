#include <catch2/catch.hpp>

#include "test/support/expected.hpp"

namespace mcmini {
namespace {

const std::vector<std::string> kHurried = {"--step-timeout", "500ms"};

// The cancellation comes before the first write, before the second, before the thread's end, or after it.
TEST_CASE("a thread that reads or writes can be cancelled there", "[cancel]") {
  expect({"canceled_read", "write"}, {.traces = 4}, kHurried);
  expect({"canceled_read", "elsewhere"}, {.traces = 4}, kHurried);
}

// The cancellation comes before the call, or while the thread waits in the kernel. What it waits for there is
// out of sight.
TEST_CASE("a thread that waits in the kernel can be cancelled there", "[cancel]") {
  expect({"canceled_read", "read"}, {.traces = 2, .complete = "no"}, kHurried);
  expect({"canceled_read", "poll"}, {.traces = 2, .complete = "no"}, kHurried);
  expect({"canceled_signal"}, {.traces = 2, .complete = "no"}, kHurried);
}

TEST_CASE("a thread that does not want to be cancelled reads on", "[cancel]") {
  expect({"canceled_read", "undisturbed"}, {.complete = "no"}, kHurried);
}

}  // namespace
}  // namespace mcmini
