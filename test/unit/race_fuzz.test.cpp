#include <catch2/catch.hpp>

#include "test/support/brute_force.hpp"
#include "test/support/exploration.hpp"
#include "test/support/random_program.hpp"
#include "test/support/scripted_target.hpp"

namespace mcmini {
namespace {

/// A race has been reported; what comes after it is of no interest.
struct Reported {};

struct Witness : Observer {
  void onFinding(const Finding& finding) override {
    if (finding.race) throw Reported{};
  }
};

bool reportsRace(const Program& program) {
  ScriptedTarget target(program);
  Limits limits;
  limits.races.promote = false;
  Witness witness;
  auto strategy = makeOptimal();
  Explorer explorer(target, testModel().catalog, *strategy, limits, witness);
  try {
    explorer.run();
  } catch (const Reported&) {
    return true;
  }
  return false;
}

struct Tally {
  std::size_t racy = 0;
  std::size_t others = 0;
};

/// Every access of one program is an operation, and all interleavings are tried; the other one has operations
/// for synchronization only.
void compare(std::uint64_t seed, Ingredients ingredients, Tally& tally) {
  ingredients.data = Ingredients::Data::Visible;
  Labels labels;
  auto all = bruteForce(randomProgram(seed, ingredients), labels, {.data = {'p', 'q'}});
  if (!all) return;
  ++(all->races ? tally.racy : tally.others);
  ingredients.data = Ingredients::Data::Plain;
  Program program = randomProgram(seed, ingredients);
  INFO("seed " << seed << "\n" << program.text());
  CHECK(reportsRace(program) == all->races);
}

void campaign(std::uint64_t firstSeed, std::uint64_t programs) {
  Tally tally;
  for (std::uint64_t i = 0; i < programs; ++i) {
    Ingredients ingredients;
    ingredients.variables = i % 2 == 0;
    ingredients.threads = i % 3 >= 1;
    ingredients.trouble = i % 5 == 4;
    ingredients.exits = i % 5 == 4;
    compare(firstSeed + i, ingredients, tally);
  }
  CHECK(tally.racy * 10 >= programs);
  CHECK(tally.others * 10 >= programs);
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kPrograms = 60;  // many times slower, and the others are run without it
#else
constexpr std::uint64_t kPrograms = 400;
#endif

TEST_CASE("exactly the programs are reported racy in which two accesses can meet", "[fuzz][races]") {
  campaign(1, kPrograms);
}

TEST_CASE("exactly the racy ones of many programs are reported", "[.campaign][campaign]") {
  campaign(1'000'000, 10'000);
}

}  // namespace
}  // namespace mcmini
