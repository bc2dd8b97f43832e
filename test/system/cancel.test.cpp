#include <catch2/catch.hpp>

#include "test/support/checker.hpp"

namespace mcmini {
namespace {

void expect(const std::string& way, std::uint64_t traces) {
  for (const std::string& variant : variants()) {
    Outcome outcome = check({"--step-timeout", "500ms", program("canceled_read", variant), way});
    INFO(variant << " " << way << "\n" << outcome.everything());
    CHECK(outcome["verdict"] == "ok");
    CHECK(outcome["traces"] == std::to_string(traces));
    CHECK(outcome["blocked"] == "0");
    CHECK(outcome["complete"] == "yes");
  }
}

// The cancellation comes before the first write, before the second, before the thread's end, or after it.
TEST_CASE("a thread that reads or writes can be cancelled there", "[cancel]") {
  expect("write", 4);
}

// The cancellation comes before the call, or while the thread waits in the kernel.
TEST_CASE("a thread that waits in the kernel can be cancelled there", "[cancel]") {
  expect("read", 2);
}

TEST_CASE("a thread that does not want to be cancelled reads on", "[cancel]") {
  expect("undisturbed", 1);
}

}  // namespace
}  // namespace mcmini
