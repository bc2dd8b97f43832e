#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "test/support/exploration.hpp"
#include "test/support/random_program.hpp"
#include "test/support/test_model.hpp"

// How far a search says that it is. After the first of n runs that is 0: its branch counts when it is left.

namespace mcmini {
namespace {

bool isMonotone(const std::vector<double>& done) {
  return std::ranges::is_sorted(done);
}

std::vector<double> doneBy(Search search, const Program& program) {
  return explore(program, {.search = search}).done;
}

/// By which factor the estimates are wrong, on average.
double meanFactor(const std::vector<double>& done) {
  double sum = 0;
  std::size_t estimates = 0;
  for (std::size_t i = 1; i + 1 < done.size(); ++i) {
    double right = static_cast<double>(i) / static_cast<double>(done.size() - 1);
    if (done[i] <= 0) continue;
    sum += std::abs(std::log(done[i] / right));
    ++estimates;
  }
  return estimates == 0 ? 1 : std::exp(sum / static_cast<double>(estimates));
}

Program sections(std::size_t threads) {
  return parallel(std::vector<Script>(threads, Script{lock('m'), unlock('m')}));
}

TEST_CASE("a search is at 0 before the first branch is left and at 1 at the end", "[estimate]") {
  for (Search search : {Search::Optimal, Search::Dpor, Search::Naive}) {
    auto done = doneBy(search, sections(2));
    CHECK(done.front() == 0);
    CHECK(done.back() == 1);
  }
}

// Who of two neighbours takes their fork first: each time two branches.
TEST_CASE("where branches are found in time, the estimate never goes back", "[estimate]") {
  std::vector<Script> philosophers;
  for (std::uint64_t i = 0; i < 8; ++i)
    philosophers.push_back(
        {lock('a' + i), lock('a' + (i + 1) % 8), unlock('a' + i), unlock('a' + (i + 1) % 8)});
  auto done = doneBy(Search::Optimal, parallel(philosophers));
  CHECK(done.size() == 256);
  CHECK(isMonotone(done));
  CHECK(meanFactor(done) < 1.3);
  CHECK(doneBy(Search::Optimal, sections(2)) == std::vector<double>{0, 0.5, 1});
}

TEST_CASE("where all branches are known at once, the estimate never goes back", "[estimate]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Exploring how{.search = Search::Naive};
    how.limits.traces = 300;
    CHECK(isMonotone(explore(randomProgram(seed, {}), how).done));
  }
}

TEST_CASE("estimates stay between 0 and 1 and are right within a factor of 2 on average", "[estimate]") {
  double sum = 0;
  int programs = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    INFO("seed " << seed);
    auto done = doneBy(Search::Optimal, randomProgram(seed, {}));
    CHECK(std::ranges::all_of(done, [](double share) { return share >= 0 && share <= 1; }));
    CHECK(done.back() == 1);
    if (done.size() < 100) continue;
    sum += std::log(meanFactor(done));
    ++programs;
  }
  REQUIRE(programs > 3);
  CHECK(std::exp(sum / programs) < 2);
}

TEST_CASE("a search that was stopped says how far it got", "[estimate]") {
  Exploring how;
  how.limits.traces = 12;
  auto done = explore(sections(4), how).done;
  CHECK(done.back() > 0.4);
  CHECK(done.back() < 0.8);
}

}  // namespace
}  // namespace mcmini
