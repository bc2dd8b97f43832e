#include <catch2/catch.hpp>

#include <algorithm>

#include "test/support/brute_force.hpp"
#include "test/support/exploration.hpp"
#include "test/support/random_program.hpp"

namespace mcmini {
namespace {

struct Tally {
  std::size_t checked = 0;
  std::size_t tooLarge = 0;
};

std::size_t missed(const Exploration& exploration, const Behaviours& all) {
  auto found = exploration.distinct();
  return static_cast<std::size_t>(
      std::ranges::count_if(all.traces, [&](const Trace& trace) { return !found.contains(trace); }));
}

/// The optimal search does each behaviour once and gives no run up; the classic one misses none.
void compare(std::uint64_t seed, const Ingredients& ingredients, Tally& tally) {
  Program program = randomProgram(seed, ingredients);
  Labels labels;
  auto all = bruteForce(program, labels);
  if (!all) {
    ++tally.tooLarge;
    return;
  }
  ++tally.checked;
  INFO("seed " << seed << "\n" << program.text());
  Exploration optimal = explore(program, labels);
  CHECK(missed(optimal, *all) == 0);
  CHECK(optimal.distinct().size() == all->traces.size());
  CHECK(optimal.redundant() == 0);
  CHECK(optimal.summary.blocked == 0);
  CHECK_FALSE(optimal.summary.strayed);
  // Where a thread has come to grief, brute force does not judge whether the others wait for ever.
  if (!ingredients.trouble && !ingredients.assumptions && !ingredients.sections)
    CHECK(optimal.deadlocks == all->deadlocks);
  CHECK(optimal.bugs() == all->bugs);
  Exploration dpor = explore(program, labels, {.search = Search::Dpor});
  CHECK(missed(dpor, *all) == 0);
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kPrograms = 100;  // many times slower, and the others are run without it
#else
constexpr std::uint64_t kPrograms = 500;
#endif

void campaign(std::uint64_t firstSeed, std::uint64_t programs) {
  Tally tally;
  for (std::uint64_t i = 0; i < programs; ++i) {
    Ingredients ingredients;
    ingredients.semaphores = i % 4 >= 1;
    ingredients.threads = i % 4 >= 2;
    ingredients.trouble = i % 4 == 3;
    ingredients.exits = i % 4 == 3;
    compare(firstSeed + i, ingredients, tally);
  }
  CHECK(tally.checked * 10 >= programs * 7);
}

TEST_CASE("the search agrees with brute force on generated programs", "[fuzz]") {
  campaign(1, kPrograms);
}

/// Choices, assumptions and sections, by turns and together.
void compareAnnotated(std::uint64_t firstSeed, std::uint64_t i, Tally& tally) {
  Ingredients ingredients;
  ingredients.choices = i % 3 != 1;
  ingredients.assumptions = i % 3 != 1 && i % 2 == 1;
  ingredients.sections = i % 3 != 0;
  ingredients.semaphores = i % 2 == 0;
  ingredients.threads = i % 4 >= 2;
  ingredients.trouble = i % 4 == 3;
  ingredients.exits = i % 4 == 3;
  compare(firstSeed + i, ingredients, tally);
}

void annotatedCampaign(std::uint64_t firstSeed, std::uint64_t programs) {
  Tally tally;
  for (std::uint64_t i = 0; i < programs; ++i) compareAnnotated(firstSeed, i, tally);
  CHECK(tally.checked * 10 >= programs * 6);
}

constexpr std::uint64_t kAnnotatedCampaign = 5'000'000;

TEST_CASE("the search agrees with brute force on generated programs with annotations", "[fuzz][annotate]") {
  annotatedCampaign(5'000, kPrograms * 3 / 5);
}

TEST_CASE("the search agrees with brute force on programs that once went wrong", "[fuzz][annotate]") {
  Tally tally;
  for (std::uint64_t i : {7751U, 7844U, 9554U}) compareAnnotated(kAnnotatedCampaign, i, tally);
  CHECK(tally.checked == 3);
}

TEST_CASE("the search agrees with brute force on many generated programs with annotations",
          "[.campaign][campaign]") {
  annotatedCampaign(kAnnotatedCampaign, 20'000);
}

TEST_CASE("the search agrees with brute force on many generated programs", "[.campaign][campaign]") {
  campaign(1'000'000, 20'000);
}

}  // namespace
}  // namespace mcmini
