#include "plugins/laws.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "test/support/built_in.hpp"
#include "test/support/none.hpp"

using namespace mcmini;
using namespace mcmini::test;

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kStates = 60;
#else
constexpr std::size_t kStates = 500;
#endif

/// What is wrong with a plugin, a sentence each.
std::vector<std::string> brokenLaws(const BuiltIn& plugins, const std::string& name) {
  LawLimits limits;
  limits.states = kStates;
  Asked asked;
  LawReport report = checkLaws(plugins.model().catalog, name, asked, limits);
  INFO(name);
  CHECK(report.operations > 0);
  CHECK(report.states > 4);
  std::vector<std::string> laws;
  for (const BrokenLaw& broken : report.broken) laws.push_back(broken.law);
  return laws;
}

}  // namespace

TEST_CASE("the built-in plugins keep the laws", "[laws]") {
  BuiltIn plugins;
  for (const char* name : {"annotate", "atomic", "barrier", "cond", "futex", "guard", "memory", "mutex",
                           "once", "process", "rwlock", "semaphore", "spin", "thread", "time"})
    CHECK(brokenLaws(plugins, name) == kNone);
}

TEST_CASE("the ready plugins keep the laws", "[laws]") {
  BuiltIn plugins("arbitrary", 0, "plugins");
  for (const auto& folder : std::filesystem::directory_iterator(MCMINI_SOURCE_DIR "/plugins")) {
    std::string name = folder.path().filename();
    if (std::filesystem::exists(folder.path() / (name + ".cpp"))) CHECK(brokenLaws(plugins, name) == kNone);
  }
}
