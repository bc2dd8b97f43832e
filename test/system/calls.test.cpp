#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <regex>
#include <set>

#include "test/support/checker.hpp"

// Real programs of all calls, right and wrong ones: the optimal search finds what a search finds that tries
// every interleaving.

namespace mcmini {
namespace {

constexpr std::array kBlocks = {"LU", "LU", "LSU", "LWU", "LVU", "SU", "T", "KU", "ru",  "wu",
                                "p",  "q",  "t",   "o",   "ln",  "EF", "B", "S",  "LBU", "X"};
constexpr std::array kEnds = {"D", "C", "x", "d", "y", "G", "ID", "i", "I"};

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  /// The calls of two threads. Every third program destroys something, or begins it anew.
  std::vector<std::string> program() {
    std::vector<std::string> threads{calls(), calls()};
    if (below(3) == 0) {
      std::string& one = threads[below(2)];
      std::string end = kEnds[below(kEnds.size())];
      one = below(2) == 0 ? one + end : end + one;
    }
    return threads;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  std::string calls() {
    std::string letters = kBlocks[below(kBlocks.size())];
    return below(2) == 0 ? letters : letters + kBlocks[below(kBlocks.size())];
  }

  std::mt19937 random_;
};

/// The headlines of a report, without what differs from one way to a bug to another.
std::set<std::string> findings(const std::string& report) {
  static const std::regex headline("(?:MISUSE|DEADLOCK|CRASH|STUCK|LIVELOCK|EXIT|ASSERTION) +(.*)");
  std::set<std::string> found;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);)
    if (std::smatch match; std::regex_match(line, match, headline)) {
      std::string words = match[0];
      found.insert(words.substr(0, words.find("   ", 12)));
    }
  return found;
}

Outcome search(const std::string& way, const std::vector<std::string>& threads) {
  std::vector<std::string> command{"--search", way, "--max-traces", "2500", program("calls")};
  command.insert(command.end(), threads.begin(), threads.end());
  return check(command, dependingOnTime());
}

/// Returns whether the program was small enough to tell.
bool agrees(const std::vector<std::string>& threads) {
  Outcome all = search("naive", threads);
  if (all["complete"] == "no") return false;
  Outcome optimal = search("optimal", threads);
  INFO(threads[0] << " " << threads[1] << "\n" << optimal.everything() << all.everything());
  CHECK(optimal["complete"] == all["complete"]);
  CHECK(optimal["blocked"] == "0");
  CHECK(findings(optimal.out) == findings(all.out));
  return true;
}

void campaign(std::uint32_t seed, int programs) {
  Generator generator(seed);
  int checked = 0;
  for (int i = 0; i < programs; ++i) checked += agrees(generator.program()) ? 1 : 0;
  CHECK(checked * 2 >= programs);
}

TEST_CASE("real programs have the bugs that trying everything finds", "[calls]") {
  campaign(1, 60);
}

TEST_CASE("many real programs have the bugs that trying everything finds", "[.campaign][campaign]") {
  campaign(1000, 1500);
}

}  // namespace
}  // namespace mcmini
