#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "test/support/built_in.hpp"

// The primitives in plugins/, which nobody has to load.

using namespace mcmini;
using namespace mcmini::test;

namespace {

constexpr std::uint64_t kObject = 8;

/// With those that nobody has to load.
struct Ready : BuiltIn {
  Ready() : BuiltIn("arbitrary", 0, "plugins") {}
};

Result take(const BuiltIn& plugins, ModelState& state, std::uint32_t thread, const std::string& name,
            std::uint64_t argument = 0) {
  auto t = plugins.make(state, thread, name, kObject, {argument});
  REQUIRE(t->enabled(state));
  return t->apply(state);
}

bool waits(const BuiltIn& plugins, const ModelState& state, std::uint32_t thread, const std::string& name) {
  return !plugins.make(state, thread, name, kObject)->enabled(state);
}

}  // namespace

TEST_CASE("a ready plugin is one file of less than 100 lines", "[ready]") {
  for (const auto& folder : std::filesystem::directory_iterator(MCMINI_SOURCE_DIR "/plugins")) {
    if (!folder.is_directory()) continue;
    std::size_t sources = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".cpp") continue;
      ++sources;
      std::ifstream file(entry.path());
      std::size_t lines = 0;
      for (std::string line; std::getline(file, line);) ++lines;
      INFO(entry.path());
      CHECK(lines < 100);
    }
    CHECK(sources == 1);
  }
}

TEST_CASE("readers share a lock of two writers, and a writer has it alone", "[ready]") {
  Ready plugins;
  ModelState state = plugins.state(3);
  take(plugins, state, 0, "two_writers.read");
  take(plugins, state, 1, "two_writers.read");
  CHECK(waits(plugins, state, 2, "two_writers.write_first"));
  take(plugins, state, 0, "two_writers.leave");
  take(plugins, state, 1, "two_writers.leave");
  take(plugins, state, 2, "two_writers.write_first");
  CHECK(waits(plugins, state, 0, "two_writers.read"));
  CHECK(waits(plugins, state, 1, "two_writers.write_second"));
}

TEST_CASE("who begins to read waits for writers who wait, where those are first", "[ready]") {
  Ready plugins;
  ModelState state = plugins.state(3);
  take(plugins, state, 0, "writers_first.read");
  take(plugins, state, 1, "writers_first.join");
  CHECK(waits(plugins, state, 1, "writers_first.write"));
  CHECK(waits(plugins, state, 2, "writers_first.read"));
  take(plugins, state, 0, "writers_first.leave");
  CHECK(waits(plugins, state, 2, "writers_first.read"));
  take(plugins, state, 1, "writers_first.write");
  take(plugins, state, 1, "writers_first.leave");
  CHECK_FALSE(waits(plugins, state, 2, "writers_first.read"));
}

TEST_CASE("who begins to write waits for readers who wait, where those are first", "[ready]") {
  Ready plugins;
  ModelState state = plugins.state(3);
  take(plugins, state, 0, "readers_first.write");
  take(plugins, state, 1, "readers_first.join");
  take(plugins, state, 0, "readers_first.leave");
  CHECK(waits(plugins, state, 2, "readers_first.write"));
  take(plugins, state, 1, "readers_first.read");
  take(plugins, state, 1, "readers_first.leave");
  CHECK_FALSE(waits(plugins, state, 2, "readers_first.write"));
}

TEST_CASE("a channel is first in, first out, and full at its capacity", "[ready]") {
  Ready plugins;
  ModelState state = plugins.state(2);
  take(plugins, state, 0, "channel.init", 2);
  CHECK(waits(plugins, state, 1, "channel.receive"));
  take(plugins, state, 0, "channel.send", 70'000);
  take(plugins, state, 0, "channel.send", 0);
  CHECK(waits(plugins, state, 0, "channel.send"));
  CHECK(take(plugins, state, 1, "channel.receive") == 70'000);
  CHECK(take(plugins, state, 1, "channel.receive") == 0);
}

TEST_CASE("a binary semaphore has one token at most", "[ready]") {
  Ready plugins;
  ModelState state = plugins.state(2);
  CHECK(take(plugins, state, 0, "binary_semaphore.try") == EAGAIN);
  take(plugins, state, 0, "binary_semaphore.post");
  CHECK(take(plugins, state, 1, "binary_semaphore.try") == 0);
  CHECK(waits(plugins, state, 1, "binary_semaphore.wait"));
}
